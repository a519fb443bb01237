import type { On, SessionUsage } from './agent.ts';
import type { ModState } from './mod-state.ts';

/** Under this share nothing is said in a quiet band. */
const MIN_STALE = 0.2;
const MAX_LINES = 20;

/** The id of the pane. */
export const PANE = 'density';

export const percent = (share: number): string => `${Math.round(share * 100)}%`;
const short = (tokens: number): string =>
  tokens < 1e6 ? `${Math.round(tokens / 1000)}k` : `${Math.round(tokens / 1e5) / 10}M`;

const PLANS: Readonly<Record<string, string>> = { five_hour: '5 hours', seven_day: '7 days' };

const planWords = ({ rateLimits }: SessionUsage): string[] =>
  rateLimits
    .filter(({ kind }) => kind in PLANS)
    .map(({ kind, percentUsed }) => `${Math.round(percentUsed)}% of ${PLANS[kind]}`);

/** The line of the band; empty: nothing is drawn. */
function bandText({ level, stale, removed }: ModState, usage: SessionUsage): string {
  const isWorthIt = removed !== undefined || (stale !== undefined && stale.removed >= MIN_STALE);
  if (level === 'off' || (level === 'quiet' && !isWorthIt)) return '';
  const { tokens, window } = usage.context;
  const plan = planWords(usage);
  return [
    'density',
    ...(tokens === undefined ? [] : [`${percent(tokens / window)} of ${short(window)}`]),
    ...(stale === undefined ? [] : [`${percent(stale.removed)} stale`]),
    ...(removed === undefined ? [] : [`rules removed ${short(removed)}`]),
    ...(level === 'full' && plan.length > 0 ? [`plan ${plan.join(', ')}`] : []),
    '/density list',
  ].join(' · ');
}

interface PaneLine {
  readonly text: string;
  readonly isBold: boolean;
}

function paneLines({ stale, why = [] }: ModState): readonly PaneLine[] {
  const now = stale?.why.slice(0, MAX_LINES) ?? [];
  const before = why.slice(0, MAX_LINES);
  const plainLine = (text: string): PaneLine => ({ text, isBold: false });
  return [
    {
      text:
        stale === undefined || now.length === 0
          ? 'Rules would remove nothing now.'
          : `Rules would remove ${percent(stale.removed)} now:`,
      isBold: true,
    },
    ...now.map(plainLine),
    {
      text: before.length === 0 ? 'Rules removed nothing in this run.' : 'The last compaction by rules removed:',
      isBold: true,
    },
    ...before.map(plainLine),
  ];
}

/** Draws what `state` says: a band above the prompt, and a pane with what rules removed and would remove now. */
export function registerShown(on: On, state: ModState): void {
  on('ui.render', { component: 'AbovePrompt' }, async ($, event, next) => {
    if (state.level === 'off' || event.props.hasSurvey) return next(event);
    const text = bandText(state, await $.session.usage());
    if (text === '') return next(event);
    const { Box, Text } = $.ui.resolve(event);
    return Box({ children: [Text({ dimColor: true, wrap: 'truncate-end', children: text })] });
  });
  on('ui.render', { component: 'Pane' }, async ($, event, next) => {
    if (event.requestId !== PANE) return next(event);
    const { Box, Text } = $.ui.resolve(event);
    const lines = paneLines(state).map(({ text, isBold }) => Text({ bold: isBold, children: text }));
    return Box({ flexDirection: 'column', children: lines });
  });
}
