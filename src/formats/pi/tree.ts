import { append } from '../../content/append.ts';
import { isRecord } from '../../content/foreign-value.ts';
import type { ContextCut, SessionEvent } from '../../content/session-event.ts';
import type { Line, Session, SkippedLine } from '../contract.ts';
import type { LineMessage } from '../lines/line-messages.ts';
import { noUsableLine, ObjectLines } from '../lines/object-lines.ts';
import { contentsOf, entriesAt, lastModel, type Message } from '../messages/message-list.ts';
import { readEntry } from './entry.ts';

/** An entry of a session and its parent. */
export interface Node {
  readonly id: string;
  readonly parent: Node | undefined;
  readonly line: number;
  readonly value: Message;
  readonly entries: LineMessage['entries'];
}

/** A session that was read: its live entries, and the path from its root to its newest entry. */
export interface Tree {
  readonly header: Message;
  /** True if entries have no ids and are a list: versions before 2. */
  readonly isLinear: boolean;
  /** All lines that are objects, with the header, in order: compactions of version 1 refer to their indices. */
  readonly rows: readonly { readonly line: number; readonly value: Message; readonly node: Node | undefined }[];
  readonly path: readonly Node[];
  readonly live: readonly Node[];
  readonly events: readonly SessionEvent[];
  readonly skipped: readonly SkippedLine[];
}

/** True if a value is the first line of a session of pi. */
export function isHeader(value: unknown): value is Message {
  return isRecord(value) && value['type'] === 'session' && typeof value['id'] === 'string' && 'cwd' in value;
}

function pathTo(leaf: Node | undefined): Node[] {
  const path: Node[] = [];
  for (let node = leaf; node; node = node.parent) path.push(node);
  return path.reverse();
}

/** The first entry on the path that a compaction kept. */
export function firstKept(compaction: Node, path: readonly Node[], rows: Tree['rows']): Node | undefined {
  const { firstKeptEntryId: id, firstKeptEntryIndex: index } = compaction.value;
  const target = typeof index === 'number' ? rows[index]?.node : undefined;
  return path.find((node) => node === target || (typeof id === 'string' && node.id === id));
}

/** The entries of a path that are sent: the summary of its last compaction, what it kept, and later entries. */
function liveOf(path: readonly Node[], rows: Tree['rows']): Node[] {
  const at = path.findLastIndex(({ value }) => value['type'] === 'compaction');
  const compaction = path[at];
  if (!compaction) return path.filter(({ entries }) => entries.length > 0);
  const kept = firstKept(compaction, path.slice(0, at), rows);
  const from = kept ? path.indexOf(kept) : at;
  const before = path.slice(from, at).filter(({ value }) => value['type'] !== 'compaction');
  return [compaction, ...before, ...path.slice(at + 1)].filter(({ entries }) => entries.length > 0);
}

function cutOf({ type, tokensBefore }: Message): ContextCut | undefined {
  if (type !== 'compaction') return undefined;
  return { kind: 'compaction', ...(typeof tokensBefore === 'number' && { beforeTokens: tokensBefore }) };
}

/**
 * Reads a session. Its newest entry is the last line; if its parent is not the line before, the user went back to an earlier
 * entry.
 * @throws CompressionStrategyError `SESSION_UNREADABLE` if there is no header and no entry.
 */
export function readTree(lines: Iterable<Line>): Tree {
  const objects = new ObjectLines(lines);
  const { skipped } = objects;
  const rows: { line: number; value: Message; node: Node | undefined }[] = [];
  const nodes = new Map<string, Node>();
  const taken = new Set<string>();
  const events: SessionEvent[] = [];
  let header: Message | undefined;
  let leaf: Node | undefined;
  for (const { line, value } of objects) {
    if (header === undefined && isHeader(value)) header = value;
    const isEntry = value['type'] !== 'session' && typeof value['type'] === 'string';
    const isLinear = typeof value['id'] !== 'string';
    if (!isEntry || (isLinear && header !== undefined && Number(header['version'] ?? 1) > 1)) {
      rows.push({ line, value, node: undefined });
      continue;
    }
    const id = isLinear ? `line-${line}` : String(value['id']);
    // A parent that is not in the file was lost: the entry before replaces it.
    const before = isLinear || typeof value['parentId'] === 'string' ? leaf : undefined;
    const parent: Node | undefined = nodes.get(String(value['parentId'])) ?? before;
    const node: Node = { id, parent, line, value, entries: entriesAt(readEntry(value, id), `line-${line}`, taken) };
    nodes.set(id, node);
    rows.push({ line, value, node });
    const by = cutOf(value);
    const isNext = parent === leaf && by === undefined;
    leaf = node;
    if (isNext)
      append(
        events,
        contentsOf([node]).map((content): SessionEvent => ({ kind: 'add', content })),
      );
    else events.push({ kind: 'replace', contents: contentsOf(liveOf(pathTo(leaf), rows)), ...(by && { by }) });
  }
  if (header === undefined && leaf === undefined)
    throw noUsableLine('a session of pi with a header or an entry', objects);
  const path = pathTo(leaf);
  const isLinear = path.some(({ value }) => typeof value['id'] !== 'string') || Number(header?.['version'] ?? 1) < 2;
  return { header: header ?? {}, isLinear, rows, path, live: liveOf(path, rows), events, skipped };
}

/** The facts of a session of pi. */
export function sessionFacts({ header, path }: Tree): Pick<Session, 'id' | 'model' | 'workspaceRoot'> {
  const model = lastModel(path);
  return {
    ...(typeof header['id'] === 'string' && { id: header['id'] }),
    ...(model !== undefined && { model }),
    ...(typeof header['cwd'] === 'string' && { workspaceRoot: header['cwd'] }),
  };
}
