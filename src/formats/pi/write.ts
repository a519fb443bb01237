import { append } from '../../content/append.ts';
import type { IContent } from '../../content/content.ts';
import type { Fields } from '../../content/foreign-value.ts';
import { timeOf } from '../blocks/iso-time.ts';
import type { Line } from '../contract.ts';
import { spliceJson } from '../json/json-splice.ts';
import { jsonLine } from '../json/json-text.ts';
import type { LineEdits } from '../lines/line-edits.ts';
import { type LineMessage, moveBehindSummary, planLines } from '../lines/line-messages.ts';
import { assertRestartable } from '../lines/lines.ts';
import { recordLines } from '../lines/record-lines.ts';
import { newEntries } from './create.ts';
import { entryChanges } from './entry.ts';
import { firstKept, type Node, readTree, type Tree } from './tree.ts';

const NEWLINE = 10;

const asMessage = ({ value, entries, line }: Node): LineMessage => ({
  message: value,
  entries,
  places: [{ line, path: [] }],
});

/** New entries before and after a line. */
interface Addition {
  readonly before: Fields[];
  readonly behind: Fields[];
}

const lastId = (values: readonly Fields[]): unknown => values.at(-1)?.['id'];

/** Adds the new entries and makes them the parents of the entries after them. */
function addEntries(edits: LineEdits<IContent>, { path, rows, header, isLinear }: Tree): Map<number, Addition> {
  const taken = new Set(rows.flatMap(({ node }) => node?.id ?? []));
  const additions = new Map<number, Addition>();
  const first = path.length === 0 ? edits.find(1)?.behind : undefined;
  if (first) {
    const options = { seed: String(header['id']), startedAt: timeOf(header['timestamp']) ?? 0, taken };
    additions.set(1, { before: [], behind: newEntries(first, { ...options, ...(!isLinear && { parentId: null }) }) });
  }
  for (const [place, node] of path.entries()) {
    const edit = edits.find(node.line);
    if (!edit || edit.before.length + edit.behind.length === 0) continue;
    const make = (contents: readonly IContent[], parentId: string | null): Fields[] =>
      newEntries(contents, {
        seed: `${String(header['id'])}/${node.id}`,
        startedAt: timeOf(node.value['timestamp']) ?? 0,
        taken,
        ...(!isLinear && { parentId }),
      });
    const before = make(edit.before, path[place - 1]?.id ?? null);
    const behind = make(edit.behind, node.id);
    additions.set(node.line, { before, behind });
    if (isLinear) continue;
    if (before.length > 0) edit.changes.push({ kind: 'set', path: ['parentId'], value: lastId(before) });
    const next = path[place + 1];
    if (behind.length > 0 && next)
      edits.at(next.line).changes.push({ kind: 'set', path: ['parentId'], value: lastId(behind) });
  }
  return additions;
}

/** Changes compactions so that they keep new entries before the first entry that they kept. */
function keepAdded(edits: LineEdits<IContent>, tree: Tree, additions: ReadonlyMap<number, Addition>): void {
  for (const { node, line, value } of tree.rows) {
    if (!node || value['type'] !== 'compaction') continue;
    const target = firstKept(node, tree.path, tree.rows);
    if (!target) continue;
    const own = additions.get(target.line)?.before[0];
    if (own && !tree.isLinear)
      edits.at(line).changes.push({ kind: 'set', path: ['firstKeptEntryId'], value: own['id'] });
    const index = value['firstKeptEntryIndex'];
    if (typeof index !== 'number') continue;
    const shift = [...additions].reduce(
      (count, [at, { before, behind }]) => (at < target.line ? count + before.length + behind.length : count),
      0,
    );
    if (shift > 0) edits.at(line).changes.push({ kind: 'set', path: ['firstKeptEntryIndex'], value: index + shift });
  }
}

/**
 * A session with its live history changed. Every entry keeps its position and its id; new ones are added between them.
 * @throws CompressionStrategyError `SESSION_NOT_WRITABLE` if new entries precede a summary that is kept.
 */
export function* writeTree(lines: Iterable<Line>, history: readonly IContent[]): Generator<Uint8Array> {
  assertRestartable(lines);
  const tree = readTree(lines);
  const live = tree.live.map(asMessage);
  const edits = planLines(live, history, { changes: entryChanges });
  const leaf = tree.path.at(-1);
  if (tree.live.length === 0 && leaf) append(edits.at(leaf.line).behind, edits.at(1).behind.splice(0));
  if (tree.live[0]?.value['type'] === 'compaction') moveBehindSummary(edits, live, history);
  const additions = addEntries(edits, tree);
  keepAdded(edits, tree, additions);
  let line = 0;
  const encode = (values: readonly Fields[]): Uint8Array[] => values.map((value) => jsonLine(value, 'a new entry'));
  for (const { bytes } of recordLines(lines)) {
    const { before = [], behind = [] } = additions.get(++line) ?? {};
    yield* encode(before);
    const changed = spliceJson(bytes, edits.find(line)?.changes ?? []);
    yield changed;
    if (behind.length > 0 && changed.at(-1) !== NEWLINE) yield new Uint8Array([NEWLINE]);
    yield* encode(behind);
  }
}
