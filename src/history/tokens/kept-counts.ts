import type { IContent } from '../../content/content.ts';
import type { CurrentEngine } from '../current-engine.ts';
import type { CountRequest, EntryCount } from '../engine.ts';
import type { ModelCount } from '../entries/slot.ts';
import { TimeSlice } from '../time-slice.ts';

interface CountOptions {
  /** Count again what is known already. */
  readonly fresh?: boolean;
  readonly signal?: AbortSignal;
}

const NEVER_ABORTED = new AbortController().signal;

/** Whole tokens, at least 0, whatever a counter returned (ERR-022). */
const wholeTokens = (counted: number): number => (Number.isFinite(counted) && counted > 0 ? Math.round(counted) : 0);

/** What an engine counted, kept with the identity of each entry, so that no entry is counted twice for one model. */
export class KeptCounts {
  /** By model. A number for each entry and no object: a long session leaves the garbage collector less to move. */
  readonly #kept = new Map<string, WeakMap<IContent, number>>();
  readonly #engine: CurrentEngine;

  constructor(engine: CurrentEngine) {
    this.#engine = engine;
  }

  /** Tokens of `text`. Keeps nothing. */
  async tokensOfText(text: string, model: string): Promise<number> {
    return wholeTokens(await this.#engine.current.countText(text, model));
  }

  /** Keeps what an engine counted, in whole tokens, and returns it. */
  keep(content: IContent, { model, tokens: counted }: ModelCount): number {
    const tokens = wholeTokens(counted);
    const kept = this.#kept.get(model);
    if (kept === undefined) this.#kept.set(model, new WeakMap([[content, tokens]]));
    else kept.set(content, tokens);
    return tokens;
  }

  /** Tokens of an entry, where they are known. */
  known(content: IContent, model: string): number | undefined {
    return this.#kept.get(model)?.get(content);
  }

  /**
   * Tokens of each of `contents` for `model`; meaningless once `signal` is aborted.
   * @throws what the counter threw for the first entry that failed.
   */
  async all(contents: readonly IContent[], model: string, options: CountOptions = {}): Promise<number[]> {
    const { fresh = false, signal = NEVER_ABORTED } = options;
    const tokens: number[] = [];
    const asked: number[] = [];
    const slice = new TimeSlice();
    for (const [index, content] of contents.entries()) {
      const known = fresh ? undefined : this.known(content, model);
      tokens.push(known ?? 0);
      if (known === undefined) asked.push(index);
      if (slice.isOver()) await slice.next();
    }
    if (asked.length === 0) return tokens;
    const entries = asked.map((index) => contents[index]!);
    await this.each(entries, { model, fresh, signal }, (count, at) => {
      if ('error' in count) throw count.error;
      tokens[asked[at]!] = count.tokens;
    });
    return tokens;
  }

  /**
   * Asks for the counts of `contents` and gives each to `take`, in order and in time slices; ends early once aborted.
   * @throws what `take` throws; an error when the engine leaves entries out.
   */
  async each(
    contents: readonly IContent[],
    request: CountRequest,
    take: (count: EntryCount, at: number) => void,
  ): Promise<void> {
    let answered = 0;
    for await (const counts of this.#engine.current.countEntries(contents, request)) {
      const slice = new TimeSlice();
      for (const count of counts) {
        if (request.signal.aborted) return;
        const at = answered++;
        if ('error' in count) take(count, at);
        else take({ tokens: this.keep(contents[at]!, { model: request.model, tokens: count.tokens }) }, at);
        if (slice.isOver()) await slice.next();
      }
    }
    if (answered === contents.length || request.signal.aborted) return;
    throw new Error(`Expected the engine to count ${contents.length} entries, got ${answered} counts.`);
  }
}
