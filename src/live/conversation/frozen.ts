import { type Fields, isRecord, jsonFields } from '../../content/foreign-value.ts';
import { type PastCall, PastCalls } from '../../economics/account/past-calls.ts';
import { NOTHING_SEEN, type SeenLifetime, type SeenPause, seenAfter } from '../../economics/account/seen-lifetime.ts';
import type { ProjectionKind } from '../contract.ts';

/** A result, or a summary (`named`), that is sent in another form, and stays so in all later requests; or what is done for the prompt cache (`cache`). */
export interface FrozenResult {
  readonly id: string;
  readonly kind: ProjectionKind | 'named' | 'cache';
  /** The text that is sent, or what a step for the prompt cache needs. */
  readonly text: string;
  readonly reason: string;
  /** For a repeat, which only earlier versions made, the result that it refers to. */
  readonly target?: string;
  /** The files that the removed text showed. */
  readonly files: readonly string[];
  /** True if the text is what is left of the result. It may be shortened again; other forms stay as they are. */
  readonly isCut?: true;
  /** True if the result can be had from the text, so that it is not archived. */
  readonly losesNothing?: true;
  /** The results, and the words of a user, above, of which notes in the text say that they show the same lines. */
  readonly sources?: readonly string[];
}

/** A decision that is to be written down. */
interface Note {
  readonly line: string;
  undo(): void;
}

interface Facts {
  readonly targets: ReadonlySet<string>;
  readonly files: ReadonlySet<string>;
}

/** The decisions of a conversation, its calls, and the lines that keep them. */
export class FrozenDecisions {
  readonly results: Map<string, FrozenResult>;
  /** Files whose removed text was needed again. */
  readonly neededAgain: Set<string>;
  /** Models whose provider said that it binds thinking. */
  readonly boundModels: Set<string>;
  /** True once an answer showed a prefix in the cache that counted as lost: something else keeps it warm. */
  isKeptWarm = false;
  /** The lifetime, if it is shorter than the table says. */
  seenLifetime: SeenLifetime = NOTHING_SEEN;
  /** Results whose other form the provider refused. */
  readonly refused: Set<string>;
  readonly calls: PastCalls;
  /** The reported tokens of each answer, by its element. */
  readonly answerTokens: Map<number, number>;
  #newAnswers: (readonly [element: number, tokens: number])[] = [];
  /** Results that this branch sends whole, and others perhaps do not. */
  readonly #leftOut = new Map<string, FrozenResult>();
  /** The calls that are written down, or were when this was read. */
  #writtenCalls: number;
  #notes: Note[] = [];
  #known: Facts | undefined;

  /** A copy of the decisions of the conversation that this one left. */
  constructor(inherited?: FrozenDecisions, calls = inherited?.calls.calls) {
    this.calls = new PastCalls(calls);
    this.#writtenCalls = this.calls.calls.length;
    this.results = new Map([...(inherited ? inherited.#leftOut : []), ...(inherited?.results ?? [])]);
    this.neededAgain = new Set(inherited?.neededAgain);
    this.boundModels = new Set(inherited?.boundModels);
    this.refused = new Set(inherited?.refused);
    this.isKeptWarm = inherited?.isKeptWarm ?? false;
    this.seenLifetime = inherited?.seenLifetime ?? NOTHING_SEEN;
    this.answerTokens = new Map(inherited?.answerTokens);
  }

  /** The decisions in these lines; what is no decision is ignored. */
  static of(lines: readonly string[]): FrozenDecisions {
    const values = lines.map((line): Fields => jsonFields(line) ?? {});
    const calls: PastCall[] = [];
    for (const { call, forgetCall } of values) {
      if (isCall(call)) calls.push(call);
      if (forgetCall === true) calls.pop();
    }
    const decisions = new FrozenDecisions(undefined, calls);
    for (const value of values) {
      if (isFrozen(value['freeze'])) decisions.results.set(value['freeze'].id, value['freeze']);
      if (typeof value['thaw'] === 'string') decisions.results.delete(value['thaw']);
      if (typeof value['pin'] === 'string') decisions.neededAgain.add(value['pin']);
      if (isAnswer(value['answer'])) decisions.answerTokens.set(...value['answer']);
      if (typeof value['bound'] === 'string') decisions.boundModels.add(value['bound']);
      if (value['keptWarm'] === true) decisions.isKeptWarm = true;
      if (isPause(value['pause'])) decisions.seenLifetime = seenAfter(decisions.seenLifetime, value['pause']);
      if (typeof value['refused'] === 'string') decisions.#setRefused(value['refused'], value['before']);
      // Earlier versions sent the originals from here on.
      if (value['handsOff'] === true) decisions.results.clear();
    }
    return decisions;
  }

  /** True for a result that is sent as the agent wrote it, and may get another form. */
  isOpen(id: string): boolean {
    return !this.results.has(id) && !this.refused.has(id);
  }

  freeze(result: FrozenResult): void {
    const { id } = result;
    const before = this.results.get(id);
    this.results.set(id, result);
    this.#note({ freeze: result }, () => (before ? this.results.set(id, before) : this.results.delete(id)));
  }

  /** Takes back a decision of this branch. */
  thaw(id: string): void {
    const result = this.results.get(id);
    this.results.delete(id);
    this.#note({ thaw: id }, () => result && this.results.set(id, result));
  }

  /** Does without a decision that another branch may still use: nothing is written down. */
  leaveOut(id: string): void {
    const result = this.results.get(id);
    if (result) this.#leftOut.set(id, result);
    this.results.delete(id);
    this.#known = undefined;
  }

  /** Notes that a call needed the text of a file, if some of it was removed. */
  noteNeed(file: string): void {
    if (!this.#facts().files.has(file) || this.neededAgain.has(file)) return;
    this.neededAgain.add(file);
    this.#note({ pin: file }, () => this.neededAgain.delete(file));
  }

  /** Notes what a request counted for an answer. */
  noteAnswer(element: number, tokens: number): void {
    this.answerTokens.set(element, tokens);
    this.#newAnswers.push([element, tokens]);
  }

  bind(model: string): void {
    this.boundModels.add(model);
    this.#note({ bound: model });
  }

  keepWarm(): void {
    this.isKeptWarm = true;
    this.#note({ keptWarm: true });
  }

  /** Notes whether a pause lost the prefix; true if that says something new. */
  notePause(pause: SeenPause): boolean {
    const { foundAfterMs, lostAfterMs } = this.seenLifetime;
    this.seenLifetime = seenAfter(this.seenLifetime, pause);
    const isNew = foundAfterMs !== this.seenLifetime.foundAfterMs || lostAfterMs !== this.seenLifetime.lostAfterMs;
    if (isNew) this.#note({ pause });
    return isNew;
  }

  /** Takes back a form that the provider refused: the result keeps the form before, or is sent as the agent wrote it. */
  refuse(id: string, before: FrozenResult | undefined): void {
    this.#setRefused(id, before);
    this.#note({ refused: id, ...(before && { before }) });
  }

  #setRefused(id: string, before: unknown): void {
    this.refused.add(id);
    if (isFrozen(before)) this.results.set(id, before);
    else this.results.delete(id);
  }

  /** The results that references refer to. */
  get targets(): ReadonlySet<string> {
    return this.#facts().targets;
  }

  #facts(): Facts {
    if (this.#known) return this.#known;
    const known = { targets: new Set<string>(), files: new Set<string>() };
    for (const { target, files } of this.results.values()) {
      if (target !== undefined) known.targets.add(target);
      for (const file of files) known.files.add(file);
    }
    this.#known = known;
    return known;
  }

  /** True if a decision is not written down yet. */
  get isUnwritten(): boolean {
    return this.#notes.length > 0;
  }

  /** The notes that are not written down yet, calls and answers among them; whoever takes them writes them, or puts them back. */
  take(): readonly Note[] {
    const { calls } = this.calls;
    const newCalls = calls
      .slice(this.#writtenCalls)
      .map((call) => ({ line: JSON.stringify({ call }), undo: () => {} }));
    const newAnswers = this.#newAnswers.map((answer) => ({ line: JSON.stringify({ answer }), undo: () => {} }));
    const notes = [...this.#notes, ...newCalls, ...newAnswers];
    this.#writtenCalls = calls.length;
    this.#notes = [];
    this.#newAnswers = [];
    return notes;
  }

  /** Forgets the calls after so many, which were not sent as it was meant. */
  cutCalls(count: number): void {
    this.calls.cut(count);
    this.#writtenCalls = Math.min(this.#writtenCalls, count);
  }

  /** Forgets the last call. */
  forgetCall(): void {
    const count = this.calls.calls.length - 1;
    if (this.#writtenCalls > count) this.#note({ forgetCall: true });
    this.cutCalls(count);
  }

  putBack(notes: readonly Note[]): void {
    this.#notes = [...notes, ...this.#notes];
  }

  /** Takes back what is not written down. */
  rollBack(): void {
    for (const { undo } of this.#notes.reverse()) undo();
    this.#notes = [];
    this.#known = undefined;
  }

  #note(line: object, undo: () => void = () => {}): void {
    this.#known = undefined;
    this.#notes.push({ line: JSON.stringify(line), undo });
  }
}

/** All forms that were ever frozen in these lines, in order: `FrozenDecisions` has the last one of each result. */
export const frozenForms = (lines: readonly string[]): readonly FrozenResult[] =>
  lines.flatMap((line) => {
    const frozen = line.startsWith('{"freeze":') ? jsonFields(line)?.['freeze'] : undefined;
    return isFrozen(frozen) ? frozen : [];
  });

const isCall = (value: unknown): value is PastCall =>
  isRecord(value) &&
  ['promptTokens', 'keptTokens', 'removedTokens'].every((name) => typeof value[name] === 'number') &&
  ['number', 'undefined'].includes(typeof value['idleMs']);

const isPause = (value: unknown): value is SeenPause =>
  isRecord(value) && typeof value['idleMs'] === 'number' && typeof value['isFound'] === 'boolean';

const isAnswer = (value: unknown): value is [number, number] =>
  Array.isArray(value) && value.length === 2 && value.every((one) => typeof one === 'number');

const isFrozen = (value: unknown): value is FrozenResult =>
  isRecord(value) &&
  typeof value['id'] === 'string' &&
  typeof value['text'] === 'string' &&
  Array.isArray(value['files']);
