import type { ContextShare, ContextShares } from '../../../chat/context-shares.ts';
import type { ChatStatus } from '../../../chat/conversation.ts';
import type { SlashOutcome } from '../../../chat/slash/contract.ts';
import type { CompressionOutcome } from '../../../gate/report.ts';
import { byteSize, compact, counted, duration, grouped, percent } from '../../../report/figures.ts';
import type { ExplainedSetting } from '../../../settings/sources.ts';
import type { Todo } from '../../../strategies/contract.ts';
import { bar } from '../../terminal/bar.ts';
import { rightAligned, tableLines } from '../../terminal/columns.ts';
import { printable, type Screen } from '../../terminal/terminal.ts';
import { originText, valueText } from '../settings/settings.ts';
import { gateNote, tokenChange } from './gate-line.ts';

/** How lines are drawn. */
export type LineStyle = Pick<Screen, 'colors' | 'columns' | 'isPlain'>;

const HELP_LINES = [
  '@path attaches a file. Tab completes.',
  'Alt-Enter begins a new line; Ctrl-O shows all of what was cut.',
  'Esc or Ctrl-C cancels a turn, Ctrl-D quits.',
];
const BAR_COLUMNS = 20;
const ROWS = 8;

function shareRows(
  title: string,
  shares: readonly ContextShare[],
  total: number,
  { colors, columns, isPlain }: LineStyle,
): string[] {
  if (shares.length === 0) return [];
  const largest = shares[0]?.tokens ?? 1;
  const lines = tableLines(
    [{ title, shrink: 'start' }, ...rightAligned('tokens', 'share'), ...(isPlain ? [] : [{ title: '' }])],
    shares
      .slice(0, ROWS)
      .map(({ name, tokens }) => [
        printable(name),
        grouped(tokens),
        percent(tokens, total),
        ...(isPlain ? [] : [bar(tokens / largest, BAR_COLUMNS)]),
      ]),
    { columns, heading: colors.dim, cell: (text, _row, column) => (column === 3 ? colors.cyan(text) : text) },
  );
  const rest = shares.slice(ROWS);
  const more = rest.reduce((sum, { tokens }) => sum + tokens, 0);
  return ['', ...lines, ...(rest.length > 0 ? [colors.dim(`and ${rest.length} more, ${counted(more, 'token')}`)] : [])];
}

function contextLines({ bySpeaker, byTool, byFile }: ContextShares, status: ChatStatus, style: LineStyle): string[] {
  const { tokens, limitTokens, thresholdRatio } = status;
  const free = Math.max(0, limitTokens - tokens);
  const threshold = compact(limitTokens * thresholdRatio);
  return [
    `${style.colors.bold(grouped(tokens))} of ${counted(limitTokens, 'token')}, ${percent(free, limitTokens)} free; compression starts at ${threshold}`,
    ...shareRows('speaker', bySpeaker, tokens, style),
    ...shareRows('results of', byTool, tokens, style),
    ...shareRows('file', byFile, tokens, style),
  ];
}

function compressionText(outcome: CompressionOutcome): string {
  switch (outcome.kind) {
    case 'compressed': {
      const { strategyUsed, llmCallMade } = outcome.metadata;
      const by = llmCallMade ? ', summary by a model' : '';
      const made = `${counted(outcome.entriesRemoved, 'entry', 'entries')} replaced by ${outcome.entriesCreated}`;
      return `with ${strategyUsed}${by}: ${made}. /undo brings them back.`;
    }
    case 'unchanged':
      return outcome.reason === 'not-smaller'
        ? 'Unchanged: it would not become smaller.'
        : `Unchanged: ${outcome.reason === 'empty-history' ? 'the history is empty' : 'the history changed meanwhile'}.`;
    case 'not-needed':
      return 'Unchanged: compression is not needed.';
    case 'cooling-down':
      return `Unchanged: the last attempt failed; the next one is in ${counted(outcome.turnsLeft, 'turn')}.`;
    case 'failed':
      return `Unchanged: ${outcome.strategy} failed.`;
  }
}

const TODO_SYMBOLS: Readonly<Record<Todo['status'], string>> = { completed: '[x]', in_progress: '[>]', pending: '[ ]' };

const table = (
  columns: Parameters<typeof tableLines>[0],
  rows: readonly (readonly string[])[],
  { colors, columns: width }: LineStyle,
): string[] => tableLines(columns, rows, { columns: width, heading: colors.dim });

const fromText = ({ origin }: ExplainedSetting): string =>
  origin.kind === 'session' ? 'this session' : originText(origin);

type LinesOf = {
  readonly [Kind in SlashOutcome['kind']]: (
    outcome: Extract<SlashOutcome, { readonly kind: Kind }>,
    style: LineStyle,
  ) => readonly string[];
};

const LINES: LinesOf = {
  said: ({ lines }) => lines.map(printable),
  switched: ({ lines }) => lines.map(printable),
  help: ({ commands }, style) => [
    ...table(
      [{ title: 'command' }, { title: '', shrink: 'end' }],
      commands.map(({ name, usage, help }) => [`/${name} ${usage}`, help]),
      style,
    ),
    ...HELP_LINES.map(style.colors.dim),
  ],
  settings: ({ settings }, style) =>
    table(
      [{ title: 'setting' }, { title: 'value' }, { title: 'from', shrink: 'end' }],
      settings.map((setting) => [setting.key, valueText(setting), fromText(setting)]),
      style,
    ),
  profiles: ({ profiles }, { colors: { bold, red } }) =>
    profiles.map((one) =>
      'problem' in one
        ? `${bold(one.name)}  ${red(printable(one.problem.message))}`
        : `${bold(one.name)}  ${Object.entries(one.settings)
            .map(([key, value]) => `${key} ${String(value)}`)
            .join(', ')}`,
    ),
  compressed: ({ outcome, tokensBefore, tokensAfter, tookMs }, { colors: { bold } }) => [
    outcome.kind === 'compressed'
      ? `${bold(tokenChange(tokensBefore, tokensAfter))} in ${duration(tookMs)}, ${compressionText(outcome)}`
      : compressionText(outcome),
  ],
  undone: ({ restoration, tokensBefore, tokensAfter }, { colors: { bold } }) => [
    restoration.kind === 'nothing-to-restore'
      ? 'No compression to undo in this session.'
      : `${bold(tokenChange(tokensBefore, tokensAfter))}: ${counted(restoration.entriesRestored, 'entry', 'entries')} restored.`,
  ],
  context: ({ shares, status }, style) => contextLines(shares, status, style),
  stats: ({ status, engine, entries, path }, style) =>
    table(
      [{ title: '' }, { title: '', shrink: 'start' }],
      [
        ['session', status.sessionId],
        ['file', printable(path)],
        ['entries', grouped(entries)],
        ['tokens', grouped(status.tokens)],
        ['last gate run', status.lastGate ? (gateNote(status.lastGate) ?? 'nothing to prune') : 'none yet'],
        [
          'counted',
          `${byteSize(engine.bytesCountedOnThreads)} on threads, ${byteSize(engine.bytesCountedByCaller)} on the main thread`,
        ],
        ['sent to threads', `${byteSize(engine.sentBytes)} in ${counted(engine.requests, 'request')}`],
        ['whole history sent', counted(engine.resyncs, 'time')],
      ],
      style,
    ).slice(1),
  todos: ({ todos }) =>
    todos.length === 0
      ? ['No todos.']
      : todos.map(({ content, status }) => `${TODO_SYMBOLS[status]} ${printable(content)}`),
  sessions: ({ sessions, open }, style) =>
    sessions.length === 0
      ? ['No sessions yet.']
      : table(
          [{ title: 'id' }, { title: 'size', align: 'right' }, { title: 'first message', shrink: 'end' }],
          sessions
            .slice(0, 20)
            .map(({ id, sizeBytes, title }) => [
              id === open ? `${id} (open)` : id,
              byteSize(sizeBytes),
              printable(title ?? ''),
            ]),
          style,
        ),
  cancelled: ({ isStopped }, { colors: { yellow } }) => [
    yellow(isStopped ? 'Cancelled. The history is unchanged.' : 'Cancelled. The command continues in the background.'),
  ],
  quit: () => [],
};

/** The outcome of a slash command as lines for a terminal. */
export const outcomeLines = (outcome: SlashOutcome, style: LineStyle): readonly string[] =>
  (LINES[outcome.kind] as (outcome: SlashOutcome, style: LineStyle) => readonly string[])(outcome, style);
