import type { LeftOfPrompt } from '../../economics/account/past-calls.ts';
import type { PromptCounter } from '../../tokens/entries/prompt-counter.ts';
import type { AskedBy, ComparedRequest } from '../changes/prompt-changes.ts';
import { letsClearResults } from '../request/cleared-results.ts';
import type { LiveDialect } from '../request/dialects.ts';
import type { Replacement, RequestList } from '../request/request-list.ts';
import type { Slices } from '../turn/slices.ts';
import { ConversationList } from './conversation-list.ts';
import { type Element, ElementReader, type ReadText } from './element.ts';
import { FrozenDecisions } from './frozen.ts';
import { Projection } from './projection.ts';
import { shortHash, type TurnNote, type WrittenBranch } from './turn-note.ts';
import { Unaccepted } from './unaccepted.ts';

/** A call that is sent now. */
export interface NotedCall {
  readonly idleMs: number | undefined;
  /** What is unchanged of the last prompt; absent: all. */
  readonly keptTokens?: number | undefined;
  /** The entries that the last prompt had too, if the conversation did not just go on; 0 if it asked another model. */
  readonly sharedEntries?: number | undefined;
}

interface Following {
  readonly slices: Slices;
  /** Of the request's model. */
  readonly counter: PromptCounter;
}

/** One conversation as its last request showed it. */
export class Branch {
  decisions: FrozenDecisions;
  history = new ConversationList();
  projection: Projection;
  /** What its last request replaced, and what the next one does if nothing can be decided in time. */
  asSent: readonly Replacement[] = [];
  reader: ElementReader;
  unaccepted = new Unaccepted();
  readonly written: WrittenBranch = { number: undefined, left: undefined, elements: 0, lines: [] };
  #lastCall: NotedCall | undefined;
  /** What the provider said of the last answer, which the next request has at this element. */
  #told: { readonly element: number; readonly tokens: number } | undefined;
  /** True if that is in the list of calls. */
  #isCounted = false;
  /** What a refused call left of the prompt that was sent before it: the next call finds no more in the cache. */
  #leftTokens = Number.POSITIVE_INFINITY;
  /** Short hashes of elements that others read, by index. */
  #others: string[] = [];
  /** The files that were read, also those that are not in the list any more. */
  readonly readTexts = new Map<string, ReadText>();
  /** Names of called tools that are not known. */
  readonly unknownTools = new Set<string>();
  model: string | undefined;
  lifetimeMs: number | undefined;
  /** Tokens of the system prompt and the tools, as they were first. */
  constantTokens: number | undefined;
  /** The entries that the rules have seen. */
  ruledEntries = 0;
  /** What its last request had beside its list; undefined before the first one that was read here. */
  asked: AskedBy | undefined;
  /** True if its last request lets the provider clear results. */
  clearsResults = false;

  constructor(dialect: LiveDialect, decisions: FrozenDecisions) {
    this.reader = new ElementReader(dialect);
    this.projection = new Projection(dialect);
    this.decisions = decisions;
  }

  /** The elements of its last request, here or elsewhere. */
  get length(): number {
    return Math.max(this.history.elements.length, this.#others.length);
  }

  /** Its last request; undefined if it was not read here. */
  get lastRequest(): ComparedRequest | undefined {
    const { list, elements } = this.history;
    if (list === undefined || this.asked === undefined || elements.length !== this.length) return undefined;
    return { list, asked: this.asked, elements, length: elements.length };
  }

  /** True if the element at this index has this hash. */
  #isSame(index: number, hash: string): boolean {
    const own = this.history.elements[index];
    return own ? own.hash === hash : this.#others[index] === shortHash(hash);
  }

  /** Follows a request that another pruner read. */
  learn({ shared, hashes, ...turn }: TurnNote, dialect: LiveDialect): void {
    const { elements } = this.history;
    const others = this.#others;
    for (let at = others.length; at < shared; at++) others.push(shortHash(elements[at]?.hash ?? ''));
    others.length = shared;
    for (const hash of hashes) others.push(hash);
    const later = elements.slice(shared);
    if (elements.length > others.length || later.some(({ hash }, at) => shortHash(hash) !== hashes[at])) {
      // What was read here and is not written down was not sent.
      this.history = new ConversationList();
      this.reader = new ElementReader(dialect);
      this.ruledEntries = 0;
    }
    Object.assign(this.written, { number: turn.branch, elements: others.length });
    this.model = turn.model;
    this.lifetimeMs = turn.lifetimeMs;
    this.constantTokens = turn.constantTokens;
  }

  /** Takes its decisions from its lines. */
  restore(dialect: LiveDialect): void {
    this.decisions = FrozenDecisions.of(this.written.lines);
    this.projection = new Projection(dialect);
    this.projection.extend(this.history, this.decisions.results);
    this.asSent = this.projection.replacements;
  }

  /** Notes the calls that the first request shows: one before each answer, without a removal. */
  noteSeenCalls(): void {
    const { answersAt, tokens } = this.history;
    let promptTokens = this.constantTokens ?? 0;
    let from = 0;
    for (const at of answersAt) {
      for (; from < at; from++) promptTokens += tokens[from]!;
      this.decisions.calls.sent({ promptTokens, idleMs: undefined });
    }
  }

  /** The estimated tokens of the request as it is sent. */
  get promptTokens(): number {
    return (this.constantTokens ?? 0) + this.projection.sentTokens;
  }

  /** Notes the call that is sent now. */
  noteCall({ idleMs, keptTokens = Number.POSITIVE_INFINITY, sharedEntries }: NotedCall): void {
    const { calls } = this.decisions;
    this.#lastCall = { idleMs, sharedEntries };
    if (sharedEntries !== undefined) calls.rebuilt(this.#firstEntries(sharedEntries));
    const savedTokens = this.projection.savedTokens - calls.removedTokens;
    const pruned = { savedTokens, keptTokens: Math.min(keptTokens, this.#leftTokens) };
    calls.sent({ promptTokens: this.promptTokens, idleMs, pruned });
    this.#isCounted = true;
    this.#leftTokens = Number.POSITIVE_INFINITY;
  }

  /** Notes the forms of its request, which is sent now. */
  sent(model: string): void {
    this.asSent = this.projection.replacements;
    this.model = model;
  }

  /** Notes the tokens of the answer to a request with so many elements. */
  tellAnswer(elements: number, tokens: number): void {
    this.#told = { element: elements, tokens };
  }

  /** Forgets the last call, because it was refused: nothing was billed. */
  forgetCall(): void {
    if (!this.#isCounted) return;
    const { calls } = this.decisions.calls;
    this.#leftTokens = calls.at(-1)?.keptTokens ?? this.#leftTokens;
    this.#isCounted = false;
    this.decisions.forgetCall();
  }

  /** Takes back the forms that no answer accepted, after the last request was accepted without them. */
  takeBack(): void {
    const { decisions, history, projection, unaccepted } = this;
    for (const [id, before] of unaccepted.in(decisions.results)) decisions.refuse(id, before);
    unaccepted.clear();
    projection.renew(history, decisions.results);
    this.asSent = projection.replacements;
    this.forgetCall();
    this.#leftTokens = Number.POSITIVE_INFINITY;
    if (this.#lastCall) this.noteCall(this.#lastCall);
  }

  /** Tokens of the prompt up to this entry; of none if there are no entries before it. */
  #firstEntries(count: number): LeftOfPrompt {
    const sum = (tokens: readonly number[]): number =>
      count === 0 ? 0 : tokens.slice(0, count).reduce((all, one) => all + one, this.constantTokens ?? 0);
    return { tokens: sum(this.projection.tokens), unprunedTokens: sum(this.history.tokens) };
  }

  /** Takes over what another branch knows, to go another way after its first `shared` elements. */
  leave(other: Branch, shared: number, dialect: LiveDialect): void {
    const { elements, counts, starts, family } = other.history;
    this.history.family = family;
    for (const [at, element] of elements.slice(0, shared).entries())
      this.history.add(element, counts.slice(starts[at], starts[at + 1]));
    this.asSent = other.asSent.filter(({ element }) => element < shared);
    this.#others = other.#others.slice(0, shared);
    const { number, left, elements: written, lines } = other.written;
    Object.assign(this.written, { left: number ?? left, elements: Math.min(shared, written), lines: [...lines] });
    this.reader = new ElementReader(dialect, { reader: other.reader, elements: this.history.elements });
    for (const [key, { text }] of other.readTexts) this.readTexts.set(key, { text });
    for (const name of other.unknownTools) this.unknownTools.add(name);
    this.model = other.model;
    this.lifetimeMs = other.lifetimeMs;
    this.constantTokens = other.constantTokens;
    this.#leftTokens = other.#leftTokens;
    this.ruledEntries = Math.min(other.ruledEntries, this.history.entries.length);
    this.unaccepted = new Unaccepted(other.unaccepted);
    for (const element of this.decisions.answerTokens.keys())
      if (element >= shared) this.decisions.answerTokens.delete(element);
  }

  /** Takes over what a conversation with the same start decided about results that this one has too. */
  inherit({ results }: FrozenDecisions): void {
    if (results.size === 0) return;
    for (const { id } of this.history.changeable) {
      const form = results.get(id);
      if (form && this.decisions.isOpen(id)) this.decisions.freeze(form);
    }
  }

  /** The number of elements at the start that the last request had too. */
  shared(hashAt: (index: number) => string, list: RequestList): number {
    const most = Math.min(this.length, list.length);
    let shared = Math.min(this.history.list ? list.same(this.history.list) : 0, most);
    while (shared < most && this.#isSame(shared, hashAt(shared))) shared++;
    return shared;
  }

  /** Reads what is new since the last request here. The first `shared` elements were sent before, here or elsewhere. */
  async follow(list: RequestList, shared: number, { slices, counter }: Following): Promise<void> {
    const { history } = this;
    history.list = list;
    this.clearsResults = letsClearResults(list);
    if (history.family === undefined) history.family = counter.family;
    else if (history.family !== counter.family) await this.#recount({ slices, counter });
    for (let index = history.elements.length; index < list.length; index++) {
      const element = this.reader.read(list.element(index), history.idCounts, counter);
      history.add(element, this.#tokensOf(element, index, counter));
      if (index < shared) this.#rememberReads(element);
      if (slices.isOver()) await slices.next();
    }
  }

  /** Tokens of another tokenizer say nothing about this one's. */
  async #recount({ slices, counter }: Following): Promise<void> {
    const { history } = this;
    history.family = counter.family;
    for (const [index, element] of history.elements.entries()) {
      history.recount(index, this.#tokensOf(element, index, counter));
      if (slices.isOver()) await slices.next();
    }
    this.constantTokens = undefined;
    if (!this.projection.isNew) this.projection.renew(history, this.decisions.results);
  }

  /** The tokens of each entry. An answer has at least as many as its provider reported. */
  #tokensOf({ entries, isAnswer }: Element, index: number, { ofEntry, keepsAnswers }: PromptCounter): number[] {
    const tokens = entries.map(ofEntry);
    if (!isAnswer || !keepsAnswers || tokens.length === 0) return tokens;
    const { answerTokens } = this.decisions;
    if (this.#told?.element === index) this.decisions.noteAnswer(index, this.#told.tokens);
    const reported = answerTokens.get(index) ?? 0;
    tokens[0]! += Math.max(0, reported - tokens.reduce((sum, count) => sum + count, 0));
    return tokens;
  }

  #rememberReads({ results }: Element): void {
    for (const result of results)
      if (result.readKey !== undefined && !result.isStub) this.readTexts.set(result.readKey, result);
  }
}
