import { append } from '../../content/append.ts';
import type { TreeLine } from './tree-line.ts';
import { answerDraft, type Draft, resultDraft, wordsDraft } from './write/draft.ts';

/**
 * The lines of the next model call, in order, and the drafts of their entries. Text is added after the results of the
 * answer before it: results are first in a user turn.
 */
export class LiveContext {
  readonly drafts: Draft[] = [];
  readonly #waiting: Draft[] = [];
  readonly #places = new Map<TreeLine, number>();
  readonly #answers = new Map<string, Draft>();
  readonly #asked = new Set<string>();
  readonly #answered = new Set<string>();
  readonly #cleared = new Set<string>();
  readonly #notesInTurn = new Set<TreeLine>();
  /** Position of the last line that is not a part of an earlier line. */
  #lastTurn = -1;

  has(line: TreeLine): boolean {
    return this.#places.has(line);
  }

  /** True if only parts of earlier answers, results of their calls and their notes follow `line`. */
  isTip(line: TreeLine): boolean {
    return (this.#places.get(line) ?? -1) >= this.#lastTurn;
  }

  /** True if a call that this line answers has a result already: these are two branches. */
  isAnswered(line: TreeLine): boolean {
    return line.answers.some((call) => this.#answered.has(call));
  }

  /**
   * True if a line belongs to the context but not to the path: parallel calls, their results and the notes on them are
   * side branches.
   */
  isFan(line: TreeLine): boolean {
    if (!line.anchor || !this.has(line.anchor)) return false;
    if (line.kind === 'ai') return this.#answers.has(line.groupId ?? '');
    return line.kind === 'note' ? this.#isInTurn(line) : this.#isResult(line) && !this.isAnswered(line);
  }

  #isInTurn({ kind, anchor }: TreeLine): boolean {
    if (kind !== 'note' || !anchor) return false;
    return anchor.asks.length > 0 || anchor.answers.length > 0 || this.#notesInTurn.has(anchor);
  }

  #isResult(line: TreeLine): boolean {
    return line.answers.length > 0 && line.answers.every((call) => this.#asked.has(call));
  }

  /** Reserves calls for later lines that answer them, so that no other line does. */
  reserve(lines: Iterable<TreeLine>): void {
    for (const line of lines) for (const call of line.answers) this.#answered.add(call);
  }

  /** From now on, results of these calls are added in cleared form, and these notes are not added. */
  clear(ids: ReadonlySet<string>): void {
    for (const id of ids) this.#cleared.add(id);
  }

  push(line: TreeLine): void {
    const place = this.#places.size;
    const answer = line.kind === 'ai' ? this.#answers.get(line.groupId ?? '') : undefined;
    if (this.#isInTurn(line)) this.#notesInTurn.add(line);
    else if (!answer && !this.#isResult(line)) this.#lastTurn = place;
    this.#places.set(line, place);
    if (answer) answer.lines.push(line);
    else if (line.kind === 'ai') this.#open(line);
    else if (!this.#cleared.has(line.uuid)) this.#say(line);
    for (const call of line.asks) this.#asked.add(call);
    for (const call of line.answers) this.#answered.add(call);
  }

  #open(line: TreeLine): void {
    this.flush();
    const draft = answerDraft(line);
    this.#answers.set(line.groupId ?? '', draft);
    this.drafts.push(draft);
  }

  #say(line: TreeLine): void {
    const result = resultDraft(line, this.#cleared);
    if (result) this.drafts.push(result);
    const words = wordsDraft(line);
    if (words) this.#waiting.push(words);
  }

  /** Adds the waiting text. */
  flush(): void {
    append(this.drafts, this.#waiting.splice(0));
  }

  /** Replaces drafts by equal ones of an earlier context, so that their entries are the same objects. */
  adopt(earlier: readonly Draft[]): void {
    const known = new Map(earlier.map((draft) => [draft.id, draft]));
    for (const [index, draft] of this.drafts.entries()) {
      const same = known.get(draft.id);
      if (!same || !isSame(same, draft)) continue;
      this.drafts[index] = same;
      const groupId = same.lines[0]?.groupId;
      if (groupId !== undefined) this.#answers.set(groupId, same);
    }
  }
}

function isSame(left: Draft, right: Draft): boolean {
  if (left.isCleared !== right.isCleared || left.lines.length !== right.lines.length) return false;
  return left.lines.every((line, index) => line === right.lines[index]);
}
