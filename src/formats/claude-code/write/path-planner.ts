import type { IContent } from '../../../content/content.ts';
import { addTo } from '../../../content/group-by.ts';
import { CompressionStrategyError } from '../../../errors.ts';
import { preservedLines, type RecordedConversation } from '../conversation.ts';
import { movesLeaf, type Recording } from '../recording.ts';
import type { TreeLine } from '../tree-line.ts';
import { type Draft, draftBlocks, draftContent } from './draft.ts';
import { DROP, type LinePlans } from './line-plans.ts';

/** The lines from the leaf to the root, with links. */
function pathOf(leaf: TreeLine | undefined): TreeLine[] {
  const path: TreeLine[] = [];
  for (let line = leaf; line; line = line.parent) path.push(line);
  return path;
}

/** Plans the path through a file for its planned lines. */
export class PathPlanner {
  /** New entries after the last one. */
  readonly atEnd: IContent[] = [];
  /** Number of the line before which text of this turn was moved. */
  #movedBefore = 0;
  readonly #recording: Recording;
  readonly #plans: LinePlans;
  readonly #live: RecordedConversation['live'];
  readonly #preserved: ReadonlySet<TreeLine>;
  readonly #resultsOf = new Map<string, TreeLine[]>();
  /** By line of the path: its child on the path. */
  readonly #childOf = new Map<TreeLine, TreeLine>();
  readonly #onPath: Set<TreeLine>;
  /** Lines that are not on the path any more. */
  readonly #bypassed = new Set<TreeLine>();

  constructor(plans: LinePlans, { recording, live }: { recording: Recording; live: RecordedConversation['live'] }) {
    this.#recording = recording;
    this.#plans = plans;
    this.#live = live;
    this.#preserved = preservedLines(recording);
    for (const { speaker, lines } of live) {
      if (speaker !== 'tool') continue;
      for (const line of lines) for (const call of line.answers) addTo(this.#resultsOf, call, line);
    }
    const path = pathOf(recording.leaf);
    this.#onPath = new Set(path);
    for (const [index, line] of path.entries()) {
      const child = path[index - 1];
      if (child) this.#childOf.set(line, child);
    }
  }

  readonly isOnPath = (line: TreeLine): boolean => this.#onPath.has(line);

  /** True if the text of a line is not reachable any more. */
  #isStranded(line: TreeLine): boolean {
    if (this.#preserved.has(line)) return false;
    if (line.answers.length > 0 || this.#bypassed.has(line)) return true;
    const hangsOnNothing = line.kind === 'note' && line.anchor !== undefined && this.#plans.isRemoved(line.anchor);
    return hangsOnNothing && !this.#onPath.has(line);
  }

  #isBelowRoot(line: TreeLine): boolean {
    return pathOf(line).at(-1) === pathOf(this.#recording.leaf).at(-1);
  }

  /**
   * Moves text next to a result, or a note on one, to a new line on the path if the result is removed or is not on the
   * path any more: they are found by the result.
   */
  moveWords(draft: Draft): void {
    const [line] = draft.lines;
    if (draft.speaker === 'ai') this.#movedBefore = 0;
    if (!line || draft.speaker !== 'human') return;
    // Text after moved text in the same turn is moved too.
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
   * Parallel calls are side branches, which a reader finds by the part of their answer on the path. If that part is removed
   * and others are kept, the path is led through the kept ones.
   */
  reroute(draft: Draft): void {
    const stays = draft.lines.filter((line) => !this.#plans.isRemoved(line));
    if (stays.length === draft.lines.length || stays.length === 0) return;
    if (stays.some((line) => this.#onPath.has(line))) return;
    const results = draft.lines.flatMap(({ asks }) => asks.flatMap((call) => this.#resultsOf.get(call) ?? []));
    results.sort((one, other) => (one.lines[0] ?? 0) - (other.lines[0] ?? 0));
    const last = [...draft.lines, ...results].findLast((line) => this.#onPath.has(line));
    const child = last && this.#childOf.get(last);
    const calls = new Set(stays.flatMap(({ asks }) => asks));
    const detour =
      results.findLast((line) => !this.#plans.isRemoved(line) && line.answers.some((call) => calls.has(call))) ??
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
   * The leaf that the file must name: an agent resumes at the last message of the file, and if that is removed, the last
   * one may be in an abandoned branch.
   */
  leafToName(): TreeLine | undefined {
    const { tree, leaf, isLeafNamed } = this.#recording;
    if (!leaf || isLeafNamed || this.#plans.byNumber.size === 0 || this.atEnd.length > 0) return undefined;
    /** By line: itself, or its nearest kept ancestor. */
    const left = new Map<TreeLine | undefined, TreeLine | undefined>();
    let found: TreeLine | undefined;
    for (const line of tree) {
      const isRemoved = this.#plans.isRemoved(line);
      const anchor = left.get(line.anchor);
      left.set(line, isRemoved ? anchor : line);
      if (!isRemoved && movesLeaf(line, anchor, found)) found = line;
    }
    const wanted = left.get(leaf);
    const live = new Set(this.#live.flatMap(({ lines }) => lines));
    const isBeside = wanted?.kind !== 'note' && found && live.has(found) && this.#isBelowRoot(found);
    return found === wanted || isBeside ? undefined : leaf;
  }

  /**
   * Adds a new entry before the first line on the path that belongs to a later entry, and returns the number of that
   * line. Side branches are skipped.
   */
  insert(content: IContent, afterId: string | undefined): number {
    const index = afterId === undefined ? 0 : this.#live.findIndex(({ id }) => id === afterId) + 1;
    for (const { lines } of this.#live.slice(index)) {
      const place = lines.find((line) => this.#onPath.has(line));
      if (place) {
        this.#plans.at(place).before.push(content);
        return place.lines[0] ?? 0;
      }
      if (lines.every((line) => this.#plans.isRemoved(line) || this.#isBelowRoot(line))) continue;
      throw new CompressionStrategyError(
        `Expected a new entry outside the messages that a compaction preserved, got one after entry ${JSON.stringify(afterId ?? '')}. The file is not written.`,
        'SESSION_NOT_WRITABLE',
      );
    }
    this.atEnd.push(content);
    return Number.POSITIVE_INFINITY;
  }
}
