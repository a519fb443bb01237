import type { IContent } from '../../content/content.ts';
import { CompressionStrategyError } from '../../errors.ts';
import type { Line } from '../contract.ts';
import { type BlockEdit, compareHistories, type EntryEdit } from '../edits.ts';
import type { PlacedBlock } from '../message-part.ts';
import { type Clearing, clearingOf } from './clearing.ts';
import { type Conversation, followConversation, preservedLines } from './conversation.ts';
import { type Draft, draftBlocks, draftContent } from './draft.ts';
import { movesLeaf, type Recording, readRecording } from './recording.ts';
import type { TreeLine } from './tree-line.ts';

/** What becomes of one line of the file. */
export interface LinePlan {
  readonly line: TreeLine;
  /** What becomes of its parts; one that is not listed is kept. */
  readonly edits: Map<PlacedBlock, BlockEdit>;
  /** The line that it hangs on from now on. */
  parentUuid?: string;
  /** Calls whose results are no longer cleared by this line, because they say something new. */
  readonly restored: string[];
  /** New entries that stand on the path directly before it. */
  readonly before: IContent[];
  /** Calls whose results a new line directly before it clears. */
  clears: readonly string[];
}

/** What becomes of a session file. */
export interface WritePlan {
  readonly recording: Recording;
  /** By line number. Lines that are not listed are written as they stand. */
  readonly lines: ReadonlyMap<number, LinePlan>;
  /** New entries behind the last one. */
  readonly atEnd: readonly IContent[];
  /** The leaf, where the file no longer ends with it and has to name it. */
  readonly leafToName: TreeLine | undefined;
  /** Results that the agent's own mark clears. */
  readonly clearing: Clearing | undefined;
}

const DROP: BlockEdit = { kind: 'drop' };

/** From the leaf to the root, links included. */
function pathOf(leaf: TreeLine | undefined): TreeLine[] {
  const path: TreeLine[] = [];
  for (let line = leaf; line; line = line.parent) path.push(line);
  return path;
}

class Planner {
  readonly lines = new Map<number, LinePlan>();
  readonly atEnd: IContent[] = [];
  readonly #restored = new Set<string>();
  /** Number of the line before which words of this turn were moved. */
  #movedBefore = 0;
  readonly #recording: Recording;
  readonly #live: Conversation['live'];
  readonly #preserved: ReadonlySet<TreeLine>;
  readonly #resultsOf = new Map<string, TreeLine[]>();
  /** On the path, the line that hangs on another. */
  readonly #childOf = new Map<TreeLine, TreeLine>();
  readonly #onPath: Set<TreeLine>;
  /** Lines that were on the path and are not any more. */
  readonly #bypassed = new Set<TreeLine>();

  constructor(recording: Recording, live: Conversation['live']) {
    this.#recording = recording;
    this.#live = live;
    this.#preserved = preservedLines(recording);
    for (const { speaker, lines } of live) {
      if (speaker !== 'tool') continue;
      for (const line of lines)
        for (const call of line.answers) this.#resultsOf.set(call, [...(this.#resultsOf.get(call) ?? []), line]);
    }
    const path = pathOf(recording.leaf);
    this.#onPath = new Set(path);
    for (const [index, line] of path.entries()) {
      const child = path[index - 1];
      if (child) this.#childOf.set(line, child);
    }
  }

  #at(line: TreeLine): LinePlan {
    const number = line.lines[0] ?? 0;
    const plan = this.lines.get(number) ?? { line, edits: new Map(), restored: [], before: [], clears: [] };
    for (const copy of line.lines) this.lines.set(copy, plan);
    return plan;
  }

  #editsOf(line: TreeLine): LinePlan['edits'] | undefined {
    return this.lines.get(line.lines[0] ?? 0)?.edits;
  }

  entry(draft: Draft, edit: EntryEdit): void {
    if (edit.kind === 'keep') return;
    for (const [index, { line, part }] of draftBlocks(draft).entries()) {
      const became = edit.kind === 'drop' ? DROP : (edit.blocks[index] ?? DROP);
      if (became.kind === 'keep') continue;
      this.#at(line).edits.set(part, became);
      if (became.kind === 'change' && draft.isCleared && part.block.type === 'tool_response')
        this.#restored.add(part.block.callId);
    }
  }

  /** A new result is not cleared by a mark that cleared an earlier one to the same call. */
  keepUncleared({ blocks }: IContent): void {
    for (const block of blocks) if (block.type === 'tool_response') this.#restored.add(block.callId);
  }

  clear({ before, callIds }: Clearing): void {
    this.#at(before).clears = callIds;
  }

  readonly isOnPath = (line: TreeLine): boolean => this.#onPath.has(line);

  /**
   * Cleared results that say something new must not be cleared again when the file is read; those that share their id
   * and stay cleared say so themselves from now on. Media that a cleared result hides go when it is touched.
   */
  restoreCleared(): void {
    for (const line of this.#recording.tree) {
      const restored = [...(line.cleared ?? [])].filter((id) => this.#restored.has(id));
      if (restored.length > 0) this.#at(line).restored.push(...restored);
    }
    for (const draft of this.#live.filter(({ isCleared }) => isCleared)) {
      for (const { block, line, part } of draftBlocks(draft)) {
        const isShared = block.type === 'tool_response' && this.#restored.has(block.callId);
        if (!isShared && !this.#editsOf(line)?.has(part)) continue;
        const { edits } = this.#at(line);
        if (!edits.has(part)) edits.set(part, { kind: 'change', block });
        for (const hidden of line.parts) if (hidden.path.length > 1) edits.set(hidden, DROP);
      }
    }
  }

  /** Whether nothing leads to the words of a line any more. */
  #isStranded(line: TreeLine): boolean {
    if (this.#preserved.has(line)) return false;
    if (line.answers.length > 0 || this.#bypassed.has(line)) return true;
    const hangsOnNothing = line.kind === 'note' && line.anchor !== undefined && this.#isGone(line.anchor);
    return hangsOnNothing && !this.#onPath.has(line);
  }

  #isBelowRoot(line: TreeLine): boolean {
    return pathOf(line).at(-1) === pathOf(this.#recording.leaf).at(-1);
  }

  /**
   * Words beside a result, and notes on one, are found by it. When only they stay, or the path no longer leads through
   * them, they move to a line of their own on the path.
   */
  moveWords(draft: Draft): void {
    const [line] = draft.lines;
    if (draft.speaker === 'ai') this.#movedBefore = 0;
    if (!line || draft.speaker !== 'human') return;
    // What follows moved words in the same turn has to follow them to their new place.
    if (!this.#isStranded(line) && (line.lines[0] ?? 0) > this.#movedBefore) return;
    const edits = this.#editsOf(line);
    const words = draftBlocks(draft).flatMap(({ block, part }) => {
      const edit = edits?.get(part);
      if (edit?.kind === 'drop') return [];
      return edit?.kind === 'change' ? [edit.block] : [block];
    });
    const isAlone = line.parts.every((part) => draft.choose(part) || edits?.get(part)?.kind === 'drop');
    if (!isAlone || words.length === 0) return;
    for (const part of line.parts) this.#at(line).edits.set(part, DROP);
    this.#movedBefore = this.insert({ ...draftContent(draft), blocks: words }, draft.id);
  }

  #isGone(line: TreeLine): boolean {
    const edits = this.#editsOf(line);
    return edits !== undefined && line.parts.every((part) => edits.get(part)?.kind === 'drop');
  }

  /**
   * Parallel calls hang beside the path, and whoever reads the file finds them by the answer on the path that they are
   * part of. When that part goes and others stay, the path is led through those that stay.
   */
  reroute(draft: Draft): void {
    const stays = draft.lines.filter((line) => !this.#isGone(line));
    if (stays.length === draft.lines.length || stays.length === 0) return;
    if (stays.some((line) => this.#onPath.has(line))) return;
    const results = draft.lines.flatMap(({ asks }) => asks.flatMap((call) => this.#resultsOf.get(call) ?? []));
    results.sort((one, other) => (one.lines[0] ?? 0) - (other.lines[0] ?? 0));
    const last = [...draft.lines, ...results].findLast((line) => this.#onPath.has(line));
    const child = last && this.#childOf.get(last);
    const calls = new Set(stays.flatMap(({ asks }) => asks));
    const detour =
      results.findLast((line) => !this.#isGone(line) && line.answers.some((call) => calls.has(call))) ?? stays.at(-1);
    if (!child || !detour || (detour.lines[0] ?? 0) > (child.lines[0] ?? 0)) return;
    this.#at(child).parentUuid = detour.uuid;
    let meeting: TreeLine | undefined = detour;
    while (meeting && !this.#onPath.has(meeting)) meeting = meeting.parent;
    for (let line = child.parent; line && line !== meeting; line = line.parent) {
      this.#onPath.delete(line);
      this.#bypassed.add(line);
    }
  }

  /**
   * A file is taken up at its last message. When that one is gone, and an abandoned branch is the last that is left,
   * the leaf has to be named.
   */
  leafToName(): TreeLine | undefined {
    const { tree, leaf, isLeafNamed } = this.#recording;
    if (!leaf || isLeafNamed || this.lines.size === 0 || this.atEnd.length > 0) return undefined;
    /** Each line, or what is left above it. */
    const left = new Map<TreeLine | undefined, TreeLine | undefined>();
    let found: TreeLine | undefined;
    for (const line of tree) {
      const isGone = this.#isGone(line);
      const anchor = left.get(line.anchor);
      left.set(line, isGone ? anchor : line);
      if (!isGone && movesLeaf(line, anchor, found)) found = line;
    }
    const wanted = left.get(leaf);
    const live = new Set(this.#live.flatMap(({ lines }) => lines));
    const isBeside = wanted?.kind !== 'note' && found && live.has(found) && this.#isBelowRoot(found);
    return found === wanted || isBeside ? undefined : leaf;
  }

  /**
   * A new entry stands before the first line on the path of the entries behind it, the number of which it returns;
   * what fans out from the path is passed over.
   */
  insert(content: IContent, afterId: string | undefined): number {
    const index = afterId === undefined ? 0 : this.#live.findIndex(({ id }) => id === afterId) + 1;
    for (const { lines } of this.#live.slice(index)) {
      const place = lines.find((line) => this.#onPath.has(line));
      if (place) {
        this.#at(place).before.push(content);
        return place.lines[0] ?? 0;
      }
      if (lines.every((line) => this.#isGone(line) || this.#isBelowRoot(line))) continue;
      throw new CompressionStrategyError(
        `Expected a place on the path of the session for a new entry, got one among messages that a compaction preserved (behind entry ${JSON.stringify(afterId ?? '')}). The file is not written.`,
        'SESSION_NOT_WRITABLE',
      );
    }
    this.atEnd.push(content);
    return Number.POSITIVE_INFINITY;
  }
}

/**
 * What has to change in a session file so that it reads as `history`.
 * @throws CompressionStrategyError `SESSION_NOT_WRITABLE` when the file has no place for something in it.
 */
export function planWrite(
  lines: Iterable<Line>,
  history: readonly IContent[],
  { mayClear = true }: { mayClear?: boolean } = {},
): WritePlan {
  const recording = readRecording(lines);
  const conversation = followConversation(recording);
  const { live } = conversation;
  const edits = compareHistories(live.map(draftContent), history);
  const planner = new Planner(recording, live);
  const clearing = mayClear
    ? clearingOf(conversation, edits.entries, { recording, isOnPath: planner.isOnPath })
    : undefined;
  for (const draft of live)
    if (!clearing?.drafts.has(draft)) planner.entry(draft, edits.entries.get(draft.id) ?? { kind: 'keep' });
  for (const { content } of edits.added) planner.keepUncleared(content);
  planner.restoreCleared();
  for (const draft of live) if (draft.speaker === 'ai' && draft.lines.length > 1) planner.reroute(draft);
  for (const draft of live) planner.moveWords(draft);
  for (const { content, afterId } of edits.added) planner.insert(content, afterId);
  if (clearing) planner.clear(clearing);
  return { recording, lines: planner.lines, atEnd: planner.atEnd, leafToName: planner.leafToName(), clearing };
}
