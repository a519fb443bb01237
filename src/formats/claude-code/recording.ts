import { append } from '../../content/append.ts';
import type { ToolCallBlock } from '../../content/content.ts';
import { type Fields, isRecord } from '../../content/foreign-value.ts';
import { addTo } from '../../content/group-by.ts';
import { CallsOfResults } from '../blocks/calls-of-results.ts';
import { timeOf } from '../blocks/iso-time.ts';
import type { Line, SideCall, SkippedLine } from '../contract.ts';
import { noUsableLine, ObjectLines } from '../lines/object-lines.ts';
import type { PlacedBlock } from '../messages/message-part.ts';
import { SideCalls } from './side-calls.ts';
import { type LineContent, type Preserved, REMOVED_LINE, readTreeLine, type TreeLine } from './tree-line.ts';

/** A session file that was read: its tree and its facts. */
export interface Recording {
  /** All lines of the tree, in the order of the file. */
  readonly tree: readonly TreeLine[];
  readonly byId: ReadonlyMap<string, TreeLine>;
  /** The last line of the live path. */
  readonly leaf: TreeLine | undefined;
  /** True if the file names the leaf instead of ending with it. */
  readonly isLeafNamed: boolean;
  /** Lines before their parent line, with that line; and lines whose parent could not be read. */
  readonly misplaced: readonly TreeLine[];
  /** True if the version of the agent writes lines that clear results. */
  readonly knowsClearing: boolean;
  readonly skipped: readonly SkippedLine[];
  readonly lineCount: number;
  readonly id: string | undefined;
  readonly model: string | undefined;
  readonly workspaceRoot: string | undefined;
  readonly sideCalls: readonly SideCall[];
}

/** True if `line`, a child of `anchor`, becomes the leaf. */
export function movesLeaf(line: LineContent, anchor: TreeLine | undefined, leaf: TreeLine | undefined): boolean {
  if (line.kind === 'ai' || line.kind === 'user') return true;
  return line.kind !== 'link' && anchor === leaf;
}

/** Versions that wrote lines that clear results. Source: section 1.1 of the description of 802 recordings. */
const CLEARING_VERSIONS = /^2\.1\.(?:[7-9]|1\d)$/;

const named = (part: PlacedBlock, { id, name }: ToolCallBlock): PlacedBlock =>
  part.block.type === 'tool_response' && part.block.callId === id
    ? { ...part, block: { ...part.block, toolName: name } }
    : part;

/** Collects the lines of one conversation. */
class Chain {
  readonly tree: TreeLine[] = [];
  readonly byId = new Map<string, TreeLine>();
  readonly misplaced: TreeLine[] = [];
  /** Lines before their parent, by the id of the parent. */
  readonly #waiting = new Map<string, TreeLine[]>();
  readonly #calls = new CallsOfResults();
  /** Lines with results whose call is later in the file: answers are written while their tools already run. */
  readonly #unnamed = new Map<string, TreeLine[]>();
  /** The last line that made a call with this id. */
  readonly #askers = new Map<string, TreeLine>();
  /** The compaction that preserved the lines up to one with this id. */
  readonly #preserving = new Map<string, Preserved>();
  leaf: TreeLine | undefined;
  isLeafNamed = false;
  id: string | undefined;
  model: string | undefined;
  workspaceRoot: string | undefined;
  version = '';
  #last: TreeLine | undefined;

  add(line: Fields, uuid: string, number: number): void {
    const known = this.byId.get(uuid);
    if (known) {
      known.lines.push(number);
      return;
    }
    const content = readTreeLine(line, this.#calls);
    const parent = this.#parentOf(line);
    // A compaction begins a new path; in a fork it also has a parent.
    const before = content.kind === 'compaction' ? undefined : parent;
    const anchor = this.#anchorOf(before);
    const { preserved } = content;
    const last = preserved?.uuids.at(-1) ?? preserved?.tailId ?? '';
    // A fork has what was preserved behind its compaction.
    if (preserved && this.byId.has(last)) this.#preserving.set(last, preserved);
    const asks: string[] = [];
    const answers: string[] = [];
    const { kind, contentPath, parts, groupId, answerId, usage, model } = content;
    const { isSummary, isSynthetic, attachedFile, cut, cleared } = content;
    // Each field by name, so that all objects have one shape: spreading took a fifth of the reading time.
    const added: TreeLine = {
      kind,
      contentPath,
      parts,
      groupId,
      answerId,
      usage,
      model,
      isSummary,
      isSynthetic,
      attachedFile,
      cut,
      preserved,
      cleared,
      uuid,
      parent,
      anchor,
      lines: [number],
      asks,
      answers,
      timestamp: timeOf(line['timestamp']),
    };
    for (const { block } of content.parts) {
      if (block.type === 'tool_response') {
        answers.push(this.#answered(block.callId, anchor) ?? `${uuid} ${block.callId}`);
        if (block.toolName === 'unknown') addTo(this.#unnamed, block.callId, added);
      }
      if (block.type !== 'tool_call') continue;
      asks.push(`${uuid} ${block.id}`);
      this.#askers.set(block.id, added);
      for (const early of this.#unnamed.get(block.id) ?? [])
        early.parts = early.parts.map((part) => named(part, block));
    }
    this.tree.push(added);
    this.byId.set(uuid, added);
    this.#noteOrder(added, parent, line['parentUuid']);
    // What was removed is still the line that a result follows whose call is later in the file.
    if (content.kind !== 'link' || line['content'] === REMOVED_LINE) this.#last = added;
    if (movesLeaf(content, anchor, this.leaf)) {
      this.leaf = added;
      this.isLeafNamed = false;
    }
    if (typeof line['sessionId'] === 'string') this.id = line['sessionId'];
    if (typeof line['version'] === 'string') this.version = line['version'];
    if (content.model !== undefined) this.model = content.model;
    if (typeof line['cwd'] === 'string') this.workspaceRoot ??= line['cwd'];
  }

  /** A parent that is not in the file, or is later, was lost: the previous line replaces it. */
  #parentOf(line: Fields): TreeLine | undefined {
    const id = line['parentUuid'];
    return typeof id === 'string' ? (this.byId.get(id) ?? this.#last) : undefined;
  }

  /** What follows the lines that a compaction preserved is after its summary: 2.1.217 links it to the last of these lines. */
  #anchorOf(before: TreeLine | undefined): TreeLine | undefined {
    const preserving = before && this.#preserving.get(before.uuid);
    const summary = this.byId.get(preserving?.anchorId ?? '');
    return summary ?? (before?.kind === 'link' ? before.anchor : before);
  }

  /** The lines whose parent is not in the file. */
  orphans(): TreeLine[] {
    return [...this.#waiting.values()].flat();
  }

  #noteOrder(added: TreeLine, parent: TreeLine | undefined, parentId: unknown): void {
    const early = this.#waiting.get(added.uuid);
    if (early) append(this.misplaced, [...early, added]);
    this.#waiting.delete(added.uuid);
    if (typeof parentId === 'string' && parent?.uuid !== parentId) addTo(this.#waiting, parentId, added);
  }

  /** The call of a result: in its parent line, or else the last call with its id. */
  #answered(callId: string, anchor: TreeLine | undefined): string | undefined {
    const isAsker = (line: TreeLine | undefined): boolean => line?.asks.includes(`${line.uuid} ${callId}`) === true;
    const asker = isAsker(anchor) ? anchor : this.#askers.get(callId);
    return asker && `${asker.uuid} ${callId}`;
  }

  moveLeaf(uuid: unknown): void {
    const line = this.byId.get(String(uuid));
    if (!line) return;
    this.leaf = line.kind === 'link' ? line.anchor : line;
    this.isLeafNamed = true;
  }
}

const isMessage = (line: Fields): boolean => line['type'] === 'user' || line['type'] === 'assistant';

/**
 * The tree of a session file, read in one pass; of each line only what the model saw is kept. Side chains of sub-agents
 * are omitted, unless the whole file is one.
 * @throws CompressionStrategyError `SESSION_UNREADABLE` if no line belongs to a tree.
 */
export function readRecording(lines: Iterable<Line>): Recording {
  const rows = new ObjectLines(lines);
  const { skipped } = rows;
  const main = new Chain();
  let side: Chain | undefined = new Chain();
  const sideCalls = new SideCalls();
  for (const { line: number, value: line } of rows) {
    if (line['type'] === 'last-prompt') main.moveLeaf(line['leafUuid']);
    if (typeof line['uuid'] !== 'string') {
      if (isMessage(line)) skipped.push({ line: number, reason: `${line['type']} line without \`uuid\`` });
      continue;
    }
    if (isMessage(line) && !isRecord(line['message']))
      skipped.push({ line: number, reason: `${line['type']} line without \`message\`` });
    const isNamed = line['isSidechain'] === undefined || typeof line['isSidechain'] === 'boolean';
    if (!isNamed) skipped.push({ line: number, reason: 'expected true or false in `isSidechain`' });
    const isSide = isNamed ? line['isSidechain'] === true : !main.byId.has(String(line['parentUuid']));
    if (isSide) {
      side?.add(line, line['uuid'], number);
      sideCalls.add(line);
    } else {
      if (isMessage(line)) side = undefined;
      main.add(line, line['uuid'], number);
    }
  }
  const chain = main.tree.length === 0 && side ? side : main;
  if (chain.tree.length === 0)
    throw noUsableLine('a Claude Code session with at least one line that has `uuid` and `parentUuid`', rows);
  const { tree, byId, leaf, isLeafNamed, id, model, workspaceRoot } = chain;
  const misplaced = skipped.length > 0 ? [...chain.misplaced, ...chain.orphans()] : chain.misplaced;
  const knowsClearing = CLEARING_VERSIONS.test(chain.version) || tree.some(({ cleared }) => cleared !== undefined);
  return {
    tree,
    byId,
    leaf,
    isLeafNamed,
    misplaced,
    knowsClearing,
    skipped,
    lineCount: rows.count,
    id,
    model,
    workspaceRoot,
    sideCalls: chain === main ? sideCalls.list() : [],
  };
}
