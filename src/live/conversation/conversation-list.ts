import type { IContent } from '../../content/content.ts';
import { addTo } from '../../content/group-by.ts';
import { hidesEarlier, stillRead } from '../../content/seen-from.ts';
import { messageId } from '../../strategies/high-density/repeated-lines/shown-text.ts';
import { textAt } from '../request/dialects.ts';
import type { RequestList } from '../request/request-list.ts';
import type { Element, LiveResult } from './element.ts';
import type { SummaryText } from './summary-text.ts';

/** A result with its element, and its entry in the history (`at`). */
export interface ListedResult {
  readonly result: LiveResult;
  readonly element: number;
  readonly at: number;
}

/** The list of a conversation, flat. It only grows, so that a turn costs what is new. */
export class ConversationList {
  readonly elements: Element[] = [];
  /** The last request that was read: it has all the elements. */
  list: RequestList | undefined;
  readonly texts = new ReleasedTexts(this);
  readonly entries: IContent[] = [];
  /** The tokens of each entry. */
  readonly counts: number[] = [];
  /** Those that its model reads: 0 for an entry that the provider drops. */
  readonly tokens: number[] = [];
  /** The first entry that its model sees for sure. */
  seenFrom = 0;
  /** Whose tokenizer counted them; undefined before the first request. */
  family: string | undefined;
  /** Characters of the texts of each entry. */
  readonly #lengths: number[] = [];
  readonly results: ListedResult[] = [];
  /** How often each text of the agent in a user turn, and each id of a call, is among them. */
  readonly idCounts = new Map<string, number>();
  /** The summaries before all answers. A text after an answer may be a person's. */
  readonly summaries: { readonly summary: SummaryText; readonly element: number }[] = [];
  /** Tokens of what tools gave the model and no rule can shorten, by its kind. */
  readonly wholeTokens = new Map<string, number>();
  /** The first entry of each element, and after the last one the number of entries. */
  readonly starts: number[] = [0];
  /** The entries with which answers begin: an answer can be several elements. */
  readonly answersAt: number[] = [];
  /** The element with which the last answer begins: those before it were sent. */
  answered = 0;
  /** Results that are stubs, by their place in `results`. */
  readonly stubs: number[] = [];
  /** The elements that are answers, or parts of one. */
  readonly answers: number[] = [];
  /** The first result of each entry, by its place in `results`. */
  readonly #firstResults: number[] = [];
  readonly #byRead = new Map<string, number[]>();

  /** The element after the last answer: its results, and those after it, were never sent. */
  get fresh(): number {
    return (this.answers.at(-1) ?? -1) + 1;
  }

  /** The ids of the words of its users, by which notes name them. */
  get messages(): ReadonlySet<string> {
    const seen = this.entries.slice(this.seenFrom);
    return new Set(seen.flatMap((entry) => entry.blocks.flatMap((block) => messageId(entry, block) ?? [])));
  }

  /** What can be sent in another form. */
  get changeable(): readonly { readonly id: string }[] {
    return [...this.results.map(({ result }) => result), ...this.summaries.map(({ summary }) => summary)];
  }

  /** The first entry of an element, or the number of entries. */
  startOf(element: number): number {
    return this.starts[element] ?? this.entries.length;
  }

  /** The place of the first result of this entry, or of those after it. */
  resultsFrom(entry: number): number {
    return this.#firstResults[entry] ?? this.results.length;
  }

  /** The result at this block of an entry. */
  resultAt(entry: number, block: number): ListedResult | undefined {
    for (let at = this.#firstResults[entry] ?? 0; this.results[at]?.at === entry; at++)
      if (this.results[at]!.result.blockAt === block) return this.results[at];
    return undefined;
  }

  /** The results that its model sees. */
  get seenResults(): readonly ListedResult[] {
    return this.seenFrom === 0 ? this.results : this.results.slice(this.resultsFrom(this.seenFrom));
  }

  /** Places of reads of this file and range that are no stubs; ascending. */
  withRead = (key: string): readonly number[] => this.#byRead.get(key) ?? [];

  /** Tokens of so many characters of this entry, as all of its text has them. */
  tokensOf(characters: number, entry: number): number {
    const length = this.#lengths[entry]!;
    return length === 0 ? 0 : (this.tokens[entry]! * characters) / length;
  }

  /** Takes other tokens for the entries of an element. */
  recount(element: number, tokens: readonly number[]): void {
    for (const [place, count] of tokens.entries()) {
      const at = this.starts[element]! + place;
      if (this.tokens[at] === this.counts[at]) this.tokens[at] = count;
      this.counts[at] = count;
    }
  }

  #hideEarlier(): void {
    const read = new Set(stillRead(this.entries));
    this.seenFrom = this.entries.length - 1;
    for (const [at, entry] of this.entries.entries()) if (!read.has(entry)) this.tokens[at] = 0;
  }

  /** `tokens`: of each entry of the element. */
  add(element: Element, tokens: readonly number[]): void {
    const start = this.entries.length;
    const at = this.elements.length;
    if (element.isAnswer && this.answers.at(-1) !== at - 1) {
      this.answersAt.push(start);
      this.answered = at;
    }
    if (element.isAnswer) this.answers.push(at);
    this.elements.push(element);
    for (const [place, entry] of element.entries.entries()) {
      this.entries.push(entry);
      this.counts.push(tokens[place]!);
      this.tokens.push(tokens[place]!);
      if (hidesEarlier(entry)) this.#hideEarlier();
      this.#lengths.push(element.lengths[place]!);
      this.#firstResults.push(this.results.length);
    }
    for (const result of element.results) {
      const entry = start + result.entry;
      const place = this.results.length;
      if (this.results.at(-1)?.at !== entry) this.#firstResults[entry] = place;
      this.results.push({ result, element: at, at: entry });
      this.idCounts.set(result.callId, (this.idCounts.get(result.callId) ?? 0) + 1);
      if (result.isStub) this.stubs.push(place);
      else if (result.readKey !== undefined) addTo(this.#byRead, result.readKey, place);
    }
    for (const whole of element.wholes)
      this.wholeTokens.set(whole.kind, (this.wholeTokens.get(whole.kind) ?? 0) + whole.tokens);
    if (this.answers.length === 0)
      for (const summary of element.summaries) this.summaries.push({ summary, element: at });
    this.starts.push(this.entries.length);
  }
}

/**
 * The texts of the results of one history. A conversation that is idle releases them, because the bytes of its last request contain
 * them too. The few texts that its next request needs are read from there again, so that the rules see no difference.
 */
class ReleasedTexts {
  readonly #of: ConversationList;
  /** The results before this place were released. */
  #count = 0;
  /** The released texts that were needed again. */
  readonly #readAgain: ListedResult[] = [];

  constructor(of: ConversationList) {
    this.#of = of;
  }

  /** Linear in the results that are new, or were needed again, since the last time. */
  release(): void {
    const { list, results } = this.#of;
    if (list?.isBytes !== true) return;
    for (const listed of this.#readAgain.splice(0)) this.#release(listed);
    for (; this.#count < results.length; this.#count++) this.#release(results[this.#count]!);
  }

  #release(listed: ListedResult): void {
    const { result } = listed;
    const { block } = result;
    // Texts in user turns are few, and their messages are kept, as the thinking of answers is.
    if (block.type !== 'tool_response') return;
    // What is read otherwise than as this text cannot be read again.
    if (!isReleased(result) && block.result !== result.text) return;
    let known: string | undefined;
    const read = (): string => {
      if (known === undefined) {
        known = this.#textOf(listed);
        this.#readAgain.push(listed);
        keep(result, 'text', known);
        keep(block, 'result', known);
      }
      return known;
    };
    readLater(result, 'text', read);
    readLater(block, 'result', read);
  }

  #textOf({ element, result: { path } }: ListedResult): string {
    return textAt(this.#of.list!.element(element), path) ?? '';
  }
}

/** Own properties in their old place, so that copies and JSON of an object have them. */
function readLater<Owner extends object>(owner: Owner, name: keyof Owner, get: () => string): void {
  Object.defineProperty(owner, name, { get, enumerable: true, configurable: true });
}

function keep<Owner extends object>(owner: Owner, name: keyof Owner, value: string): void {
  Object.defineProperty(owner, name, { value, enumerable: true, configurable: true, writable: true });
}

const isReleased = (result: LiveResult): boolean => Object.getOwnPropertyDescriptor(result, 'text')?.get !== undefined;
