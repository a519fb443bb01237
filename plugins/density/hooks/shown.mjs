// What the mod draws in a terminal: a band above the prompt, and a pane with what rules removed and would remove now.

/** Under this share nothing is said in a quiet band. */
const MIN_STALE = 0.2;
const MAX_LINES = 20;

/** Of the pane. */
export const PANE = 'density';
export const LEVELS = ['off', 'quiet', 'full'];

export const percent = (share) => `${Math.round(share * 100)}%`;
const short = (tokens) => (tokens < 1e6 ? `${Math.round(tokens / 1000)}k` : `${Math.round(tokens / 1e5) / 10}M`);

const PLANS = { five_hour: '5 hours', seven_day: '7 days' };

const planWords = ({ rateLimits }) =>
  rateLimits
    .filter(({ kind }) => kind in PLANS)
    .map(({ kind, percentUsed }) => `${Math.round(percentUsed)}% of ${PLANS[kind]}`);

/** The line of the band; empty: nothing is drawn. `stale` is the share that rules would remove, `removed` the tokens that they removed. */
function bandText(level, { stale, removed }, usage) {
  const isWorthIt = removed !== undefined || stale?.removed >= MIN_STALE;
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

function paneLines({ stale, why = [] }) {
  const [now, before] = [stale?.why ?? [], why].map((lines) => lines.slice(0, MAX_LINES));
  return [
    [now.length === 0 ? 'Rules would remove nothing now.' : `Rules would remove ${percent(stale.removed)} now:`, true],
    ...now.map((text) => [text, false]),
    [before.length === 0 ? 'Rules removed nothing in this run.' : 'The last compaction by rules removed:', true],
    ...before.map((text) => [text, false]),
  ];
}

/** Draws the band and the pane of what `state` says. */
export function registerShown(on, state) {
  on('ui.render', { component: 'AbovePrompt' }, async ($, e, next) => {
    if (state.level === 'off' || e.props.hasSurvey) return next(e);
    const text = bandText(state.level, state, await $.session.usage());
    if (text === '') return next(e);
    const { Box, Text } = $.ui.resolve(e);
    return Box({ children: [Text({ dimColor: true, wrap: 'truncate-end', children: text })] });
  });
  on('ui.render', { component: 'Pane' }, async ($, e, next) => {
    if (e.requestId !== PANE) return next(e);
    const { Box, Text } = $.ui.resolve(e);
    const lines = paneLines(state).map(([children, bold]) => Text({ bold, children }));
    return Box({ flexDirection: 'column', children: lines });
  });
}
