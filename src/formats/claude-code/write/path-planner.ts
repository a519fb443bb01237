import type { IContent } from '../../../content/content.ts';
import { CompressionStrategyError } from '../../../errors.ts';
import { type Conversation, preservedLines } from '../conversation.ts';
import { movesLeaf, type Recording } from '../recording.ts';
import type { TreeLine } from '../tree-line.ts';
import { type Draft, draftBlocks, draftContent } from './draft.ts';
import { DROP, type LinePlans } from './line-plans.ts';

/** From the leaf to the root, links included. */
function pathOf(leaf: TreeLine | undefined): TreeLine[] {
  const path: TreeLine[] = [];
  for (let line = leaf; line; line = line.parent) path.push(line);
  return path;
}

/** Where the path through a file leads when its lines become what is planned. */
export class PathPlanner {
  /** New entries behind the last one. */
  readonly atEnd: IContent[] = [];
  /** Number of the line before which words of this turn were moved. */
  #movedBefore = 0;
  readonly #recording: Recording;
  readonly #plans: LinePlans;
  readonly #live: Conversation['live'];
  readonly #preserved: ReadonlySet<TreeLine>;
  readonly #resultsOf = new Map<string, TreeLine[]>();
  /** On the path, the line that hangs on another. */
  readonly #childOf = new Map<TreeLine, TreeLine>();
  readonly #onPath: Set<TreeLine>;
  /** Lines that were on the path and are not any more. */
  readonly #bypassed = new Set<TreeLine>();

  constructor(plans: LinePlans, { recording, live }: { recording: Recording; live: Conversation['live'] }) {
    this.#recording = recording;
    this.#plans = plans;
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

  readonly isOnPath = (line: TreeLine): boolean => this.#onPath.has(line);

  /** Whether nothing leads to the words of a line any more. */
  #isStranded(line: TreeLine): boolean {
    if (this.#preserved.has(line)) return false;
    if (line.answers.length > 0 || this.#bypassed.has(line)) return true;
    const hangsOnNothing = line.kind === 'note' && line.anchor !== undefined && this.#plans.isGone(line.anchor);
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
    const edits = this.#plans.editsOf(line);
    const words = draftBlocks(draft).flatMap(({ block, part }) => {
      const edit = edits?.get(part);
      if (edit?.kind === 'drop') return [];
      return edit?.kind === 'change' ? [edit.block] : [block];
    });
    const isAlone = line.parts.every((part) => draft.choose(part) || edits?.get(part)?.kind === 'drop');
    if (!isAlone || words.length === 0) return;
    for (const part of line.parts) this.#plans.at(line).edits.set(part, DROP);
    this.#movedBefore = this.insert({ ...draftContent(draft), blocks: words }, draft.id);
  }

  /**
   * Parallel calls hang beside the path, and whoever reads the file finds them by the answer on the path that they are
   * part of. When that part goes and others stay, the path is led through those that stay.
   */
  reroute(draft: Draft): void {
    const stays = draft.lines.filter((line) => !this.#plans.isGone(line));
    if (stays.length === draft.lines.length || stays.length === 0) return;
    if (stays.some((line) => this.#onPath.has(line))) return;
    const results = draft.lines.flatMap(({ asks }) => asks.flatMap((call) => this.#resultsOf.get(call) ?? []));
    results.sort((one, other) => (one.lines[0] ?? 0) - (other.lines[0] ?? 0));
    const last = [...draft.lines, ...results].findLast((line) => this.#onPath.has(line));
    const child = last && this.#childOf.get(last);
    const calls = new Set(stays.flatMap(({ asks }) => asks));
    const detour =
      results.findLast((line) => !this.#plans.isGone(line) && line.answers.some((call) => calls.has(call))) ??
      stays.at(-1);
    if (!child || !detour || (detour.lines[0] ?? 0) > (child.lines[0] ?? 0)) return;
    this.#plans.at(child).parentUuid = detour.uuid;
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
    if (!leaf || isLeafNamed || this.#plans.byNumber.size === 0 || this.atEnd.length > 0) return undefined;
    /** Each line, or what is left above it. */
    const left = new Map<TreeLine | undefined, TreeLine | undefined>();
    let found: TreeLine | undefined;
    for (const line of tree) {
      const isGone = this.#plans.isGone(line);
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
        this.#plans.at(place).before.push(content);
        return place.lines[0] ?? 0;
      }
      if (lines.every((line) => this.#plans.isGone(line) || this.#isBelowRoot(line))) continue;
      throw new CompressionStrategyError(
        `Expected a place on the path of the session for a new entry, got one among messages that a compaction preserved (behind entry ${JSON.stringify(afterId ?? '')}). The file is not written.`,
        'SESSION_NOT_WRITABLE',
      );
    }
    this.atEnd.push(content);
    return Number.POSITIVE_INFINITY;
  }
}
