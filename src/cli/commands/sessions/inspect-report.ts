import { BASIS } from '../../../report/basis-words.ts';
import { counted, grouped, percent } from '../../../report/figures.ts';
import type { Inspection } from '../../../sessions/inspection.ts';
import { contextKinds, type SessionInspection } from '../../../sessions/session-inspection.ts';
import { COUNTERS } from '../../../strategies/reasons/edit-reason.ts';
import { sessionHeading } from '../../options/session-summary.ts';
import { unknownToolsText } from '../../options/tools-in-force.ts';
import { bar } from '../../terminal/bar.ts';
import { type Column, hanging, rightAligned, tableLines, wrapped } from '../../terminal/columns.ts';
import { peaks, sparkline } from '../../terminal/sparkline.ts';
import { printable, type Screen } from '../../terminal/terminal.ts';
import { changeLine, removalTable } from '../prune/removal-table.ts';
import type { InspectedSession } from './inspected-session.ts';

const ROWS_AT_MOST = 10;
const BAR_COLUMNS = 14;

const SHARE_COLUMNS: readonly Column[] = [...rightAligned('tokens', 'share'), { title: '' }];

/** A table of shares: first the given columns, then tokens, share and a bar. */
function shareTable(
  columns: readonly Column[],
  rows: readonly { readonly cells: readonly string[]; readonly tokens: number }[],
  { total, screen }: { total: number; screen: Screen },
): string {
  const { bold, dim, cyan } = screen.colors;
  const largest = Math.max(1, ...rows.map(({ tokens }) => tokens));
  const shown = rows.slice(0, ROWS_AT_MOST);
  const barColumn = columns.length + 2;
  const lines = tableLines(
    [...columns, ...SHARE_COLUMNS.slice(0, screen.isPlain ? -1 : undefined)],
    shown.map(({ cells, tokens }) => [
      ...cells,
      grouped(tokens),
      percent(tokens, total),
      bar(tokens / largest, BAR_COLUMNS),
    ]),
    {
      columns: screen.columns,
      heading: dim,
      cell: (text, _row, column) => (column === barColumn ? cyan(text) : column === barColumn - 2 ? bold(text) : text),
    },
  );
  const rest = rows.slice(ROWS_AT_MOST);
  const more = rest.reduce((sum, { tokens }) => sum + tokens, 0);
  const last = rest.length > 0 ? [dim(`and ${grouped(rest.length)} more, ${counted(more, 'token')}`)] : [];
  return `${[...lines, ...last].join('\n')}\n`;
}

/** The tokens along the session as a curve of one line; a sentence with `--plain`. */
function alongCurve({ entries, tokensAlong }: Inspection, screen: Screen): string {
  const { dim, cyan } = screen.colors;
  const most = tokensAlong.reduce((top, tokens) => Math.max(top, tokens), 0);
  const at = tokensAlong.indexOf(most);
  const entryOf = (stretch: number): number => Math.floor((stretch * entries) / tokensAlong.length);
  const from = entryOf(at) + 1;
  const to = Math.max(from, entryOf(at + 1));
  const where = from === to ? `entry ${grouped(from)}` : `entries ${grouped(from)} to ${grouped(to)}`;
  if (screen.isPlain) return `most tokens in one stretch: ${grouped(most)}, ${where} of ${grouped(entries)}\n`;
  const last = `#${grouped(entries)}`;
  const curve = peaks(tokensAlong, screen.columns);
  return [
    dim(wrapped(`tokens along the session, ${grouped(most)} at most (${where})`, screen.columns)),
    cyan(sparkline(curve, most)),
    dim(`#1${last.padStart(Math.max(last.length + 1, curve.length - 2))}`),
    '',
  ].join('\n');
}

/** What `optimize` would remove, as it reports it, and how much of the context that is. */
function removable({ removals, removableTokens, context: { tokens } }: SessionInspection, screen: Screen): string {
  const { bold, dim } = screen.colors;
  const title = bold('What optimize would remove');
  if (COUNTERS.every((counter) => removals[counter].count === 0)) return `${title}\n${dim('nothing')}\n`;
  const table = removalTable(removals, { tokensBefore: tokens, unknown: [], screen });
  return `${title}\n${table}${changeLine(tokens, Math.max(0, tokens - removableTokens), { screen, what: BASIS.now })}\n`;
}

/** What is odd, one line each; empty if nothing is. */
function oddities(found: Inspection, screen: Screen): string {
  const { yellow } = screen.colors;
  const bullet = `${yellow(screen.isPlain ? '-' : '●')} `;
  const odd = (calls: Inspection['unansweredCalls'], one: string, many: string): string[] => {
    const named = calls.slice(0, 3).map(({ tool, position }) => `${printable(tool)} #${position}`);
    const more = calls.length > named.length ? `, and ${calls.length - named.length} more` : '';
    return calls.length === 0 ? [] : [`${counted(calls.length, one, many)}: ${named.join(', ')}${more}`];
  };
  const lines = [
    ...odd(found.unansweredCalls, 'call without a response', 'calls without a response'),
    ...odd(found.orphanResponses, 'response without a call', 'responses without a call'),
    found.reusedCallIds > 0
      ? `${counted(found.reusedCallIds, 'call id is', 'call ids are')} used by several calls`
      : '',
    unknownToolsText(found.unknownTools),
  ].filter((line) => line !== '');
  const shown = lines.map((line) => `${hanging(bullet, line, screen.columns)}\n`);
  return lines.length === 0 ? '' : `\n${screen.colors.bold('What stands out')}\n${shown.join('')}`;
}

/** What fills the context of a session, in tables, and what stands out. */
export function inspectReport(
  file: InspectedSession,
  { model, contextLimit, screen }: { readonly model: string; readonly contextLimit: number; readonly screen: Screen },
): string {
  const { inspection } = file;
  const { context } = inspection;
  const within = { total: Math.max(context.tokens, inspection.tokens), screen };
  const root = file.session.workspaceRoot;
  const shortened = (text: string): string => printable(root ? text.replaceAll(`${root}/`, '') : text);
  const tools = inspection.byTool.map(({ name, tokens, count }) => ({
    cells: [printable(name), grouped(count)],
    tokens,
  }));
  const files = inspection.byFile.map(({ path, tokens, reads, writes }) => ({
    cells: [shortened(path), grouped(reads), grouped(writes)],
    tokens,
  }));
  return [
    sessionHeading(file, { model, contextLimit, context, entries: inspection.entries, screen }),
    alongCurve(inspection, screen),
    shareTable(
      [{ title: 'speaker and kind', shrink: 'end' }, ...rightAligned('blocks')],
      contextKinds(inspection).map(({ name, tokens, count }) => ({
        cells: [name, count === 0 ? '' : grouped(count)],
        tokens,
      })),
      within,
    ),
    ...(tools.length === 0
      ? []
      : [shareTable([{ title: 'tool', shrink: 'end' }, ...rightAligned('calls')], tools, within)]),
    ...(files.length === 0
      ? []
      : [shareTable([{ title: 'file', shrink: 'start' }, ...rightAligned('reads', 'writes')], files, within)]),
    shareTable(
      [{ title: '#', align: 'right' }, { title: 'by' }, { title: 'largest entries', shrink: 'end' }],
      inspection.largest.map(({ position, speaker, label, tokens }) => ({
        cells: [String(position), speaker === 'human' ? 'user' : speaker, shortened(label)],
        tokens,
      })),
      within,
    ),
    `${removable(inspection, screen)}${oddities(inspection, screen)}`,
  ].join('\n');
}
