import { append } from '../content/append.ts';
import { createUserMessage, type IContent } from '../content/content.ts';
import { footprint, takeMoreThan } from '../content/footprint.ts';
import { CompressionStrategyError } from '../errors.ts';
import type {
  CountRequest,
  Engine,
  EngineListener,
  EngineStats,
  EntryCount,
  HistoryChange,
  ServedHistory,
} from '../history/engine.ts';
import type {
  CompressionContext,
  CompressionResult,
  CompressionStrategy,
  DensityConfig,
  DensityEdit,
  DensityResult,
} from '../strategies/contract.ts';
import { TimeSlice } from '../time-slice.ts';
import { familyOfModel } from '../tokens/models.ts';
import { COUNT_BYTES, MAX_COUNTS } from './count-on-thread.ts';
import { Degradation } from './degradation.ts';
import type { ResultPart, Task } from './protocol.ts';
import { loggerOf, plainConfig, registeredName } from './registered-strategy.ts';
import { type Answer, ReplicaLink, type RequestRunner } from './replica-link.ts';
import { expectOutcome } from './reply-check.ts';
import { sharedCount } from './shared-count.ts';
import { editsOfPart, entriesOfPart } from './transfer/result-parts.ts';

const NEVER_ABORTED = new AbortController().signal;

/** Parts of a result that take a millisecond to be received. */
const LONG_RESULT = 128;

export interface OffloadedEngineOptions {
  readonly pool: RequestRunner;
  /** Does the work when no thread can, and as long as the history is small. */
  readonly fallback: Engine;
  /** Memory that the history takes before a thread does its work; 0 when absent. */
  readonly minBytes?: number;
  /** What the history is expected to take. Threads start at once if that is enough. */
  readonly expectedBytes?: number | undefined;
}

/**
 * Does the work of one history on a thread of the pool, which keeps a replica, from the size on at which that pays. What a task throws is rethrown here;
 * when a thread is lost twice the work is done by the fallback, and nothing is lost. Source: docs/architecture.md, "The offload protocol"; docs/readings.md, row 30.
 */
export class OffloadedEngine implements Engine {
  readonly name = 'offloaded';
  readonly #pool: RequestRunner;
  readonly #fallback: Engine;
  readonly #minBytes: number;
  readonly #link: ReplicaLink;
  readonly #degradation = new Degradation(() => this.#listener);
  #history: ServedHistory | undefined;
  #listener: EngineListener | undefined;
  /** What was ever added to the history, until it is large. */
  #addedBytes = 0;
  #isLarge = false;

  constructor({ pool, fallback, minBytes = 0, expectedBytes = 0 }: OffloadedEngineOptions) {
    this.#pool = pool;
    this.#fallback = fallback;
    this.#minBytes = minBytes;
    if (expectedBytes >= minBytes) this.#becomeLarge();
    this.#link = new ReplicaLink(pool, {
      onProgress: (progress) => this.#listener?.progressed(progress),
      onAnswer: () => this.#degradation.end(),
    });
  }

  serve(history: ServedHistory, listener: EngineListener): void {
    this.#history = history;
    this.#link.log.follow(history.entries);
    this.#listener = listener;
    this.#noteAdded(history.entries);
  }

  changed(change: HistoryChange): void {
    // The first thread gets the whole history as it is then.
    if (this.#isLarge) this.#link.log.note(change);
    else if (change.kind === 'splice') this.#noteAdded(change.entries);
  }

  get broughtBytes(): number {
    return this.#isLarge ? COUNT_BYTES : this.#fallback.broughtBytes;
  }

  async *countEntries(entries: readonly IContent[], request: CountRequest): AsyncGenerator<readonly EntryCount[]> {
    if (!this.#isLarge && takeMoreThan(this.#minBytes, entries)) this.#becomeLarge();
    if (!this.#isLarge) {
      yield* this.#fallback.countEntries(entries, request);
      return;
    }
    let done = 0;
    try {
      for await (const counts of sharedCount(entries, request, { link: this.#link, caller: this.#fallback })) {
        done += counts.length;
        yield counts;
      }
    } catch (error) {
      this.#degradation.begin(error);
      yield* this.#fallback.countEntries(entries.slice(done), request);
    }
  }

  async countText(text: string, model: string): Promise<number> {
    const request = { model, fresh: false, signal: NEVER_ABORTED };
    for await (const [count] of this.countEntries([createUserMessage(text)], request)) {
      if (count === undefined) continue;
      if ('error' in count) throw count.error;
      return count.tokens;
    }
    return 0;
  }

  async optimize(
    strategy: CompressionStrategy,
    history: readonly IContent[],
    config: DensityConfig,
  ): Promise<DensityResult> {
    const name = registeredName(strategy);
    if (name === undefined || !this.#isOwnHistory(history)) {
      if (name === undefined) this.#degradation.noteUnregistered(strategy);
      return this.#fallback.optimize(strategy, history, config);
    }
    if (!this.#isLarge) return this.#fallback.optimize(strategy, history, config);
    const served = this.#history!;
    const { model } = served;
    const logger = loggerOf(strategy);
    const { length } = history;
    const unmoved = this.#unmoved();
    let countFrom = length;
    const answer = await this.#ask(() => {
      const entries = unmoved();
      const least = Math.max(0, length - MAX_COUNTS);
      for (countFrom = length; countFrom > least && !served.hasCount(entries[countFrom - 1]!); ) countFrom--;
      const counted = { family: familyOfModel(model), countFrom, budgetBytes: COUNT_BYTES };
      return {
        kind: 'optimize',
        ...name,
        config: plainConfig(config),
        isLogged: logger !== undefined,
        length,
        ...counted,
      };
    });
    if (answer === undefined) return this.#fallback.optimize(strategy, unmoved().slice(0, length), config);
    const { removals, metadata, counts, hasEdits, logged } = expectOutcome(answer.outcome, 'optimized');
    for (const [at, tokens] of counts.entries()) {
      if (typeof tokens === 'number') served.keepCount(unmoved()[countFrom + at]!, { model, tokens });
    }
    for (const line of logged) logger?.debug(...line);
    const replacements = new Map<number, IContent>();
    const edits: DensityEdit[] = [];
    for await (const { part, rebuilt } of this.#rebuilt(answer.parts, unmoved, model)) {
      if ('reasons' in part) append(edits, editsOfPart(part));
      else if ('from' in part) replacements.set(part.from, rebuilt[0]!);
    }
    const result: DensityResult = { removals, replacements, metadata, ...(hasEdits && { edits }) };
    this.#link.log.rememberResult(result, answer.sequence);
    return result;
  }

  async compress(strategy: CompressionStrategy, context: CompressionContext): Promise<CompressionResult> {
    const name = registeredName(strategy);
    if (name === undefined) {
      if (!strategy.requiresLLM) this.#degradation.noteUnregistered(strategy);
      return this.#fallback.compress(strategy, context);
    }
    if (!this.#isLarge) return this.#fallback.compress(strategy, context);
    const { ephemerals, workspaceRoot } = context.runtimeContext;
    const { model } = context.runtimeState;
    const { log } = this.#link;
    const entries = [...log.entries];
    const structureVersion = log.structureVersion;
    const task: Task = {
      kind: 'compress',
      ...name,
      family: familyOfModel(model),
      length: entries.length,
      workspaceRoot,
      compressionThreshold: ephemerals.compressionThreshold(),
      preserveThreshold: ephemerals.preserveThreshold(),
      contextLimitTokens: ephemerals.contextLimit(),
      currentTokens: context.currentTokenCount,
    };
    const answer = await this.#ask(() => (log.structureVersion === structureVersion ? task : { kind: 'synchronise' }));
    // No thread can do it, or none has the entries of the context any more.
    if (answer === undefined || answer.outcome.kind === 'done') return this.#fallback.compress(strategy, context);
    const { metadata, logged } = expectOutcome(answer.outcome, 'compressed');
    for (const line of logged) context.logger.debug(...line);
    const newHistory: IContent[] = [];
    for await (const { rebuilt } of this.#rebuilt(answer.parts, () => entries, model)) append(newHistory, rebuilt);
    return { newHistory, metadata };
  }

  stats(): EngineStats {
    const { countedBytes, ...link } = this.#link.stats();
    return {
      ...link,
      bytesCountedOnThreads: countedBytes,
      bytesCountedByCaller: this.#fallback.stats().bytesCountedByCaller,
    };
  }

  async dispose(): Promise<void> {
    await this.#link.release();
    await this.#fallback.dispose();
  }

  #noteAdded(entries: readonly IContent[]): void {
    for (const entry of entries) {
      if (this.#isLarge) return;
      this.#addedBytes += footprint(entry).bytes;
      if (this.#addedBytes >= this.#minBytes) this.#becomeLarge();
    }
  }

  /** They are started at once, so that the first request need not wait for that. */
  #becomeLarge(): void {
    if (this.#isLarge) return;
    this.#isLarge = true;
    this.#pool.start();
  }

  /** The answer to a task on the history, undefined when no thread could give one. */
  async #ask(task: () => Task): Promise<Answer | undefined> {
    const { entries } = this.#link.log;
    const known = { doneEntries: 0, allEntries: entries.length, countedTokens: 0 };
    try {
      return await this.#link.request({ build: () => ({ task: task() }), known: () => known });
    } catch (error) {
      this.#degradation.begin(error);
      return undefined;
    }
  }

  /** Reads the history from now on; throws `HISTORY_CHANGED` once it was changed other than by appends. */
  #unmoved(): () => readonly IContent[] {
    const { log } = this.#link;
    const { structureVersion } = log;
    return () => {
      if (log.structureVersion !== structureVersion) throw historyChanged();
      return log.entries;
    };
  }

  #isOwnHistory(history: readonly IContent[]): boolean {
    const { entries } = this.#link.log;
    return history.length === entries.length && history[0] === entries[0] && history.at(-1) === entries.at(-1);
  }

  /** The entries of each part, made of the caller's own, in slices that yield. */
  async *#rebuilt(
    parts: readonly ResultPart[],
    entries: () => readonly IContent[],
    model: string,
  ): AsyncGenerator<{ part: ResultPart; rebuilt: readonly IContent[] }> {
    const slice = new TimeSlice();
    // Receiving a long result has blocked the event loop already.
    if (parts.length > LONG_RESULT) await slice.next();
    for (const part of parts) {
      const rebuilt = 'reasons' in part ? [] : entriesOfPart(entries(), part);
      if ('tokens' in part) this.#history?.keepCount(rebuilt[0]!, { model, tokens: part.tokens });
      yield { part, rebuilt };
      if (slice.isOver()) await slice.next();
    }
  }
}

function historyChanged(): CompressionStrategyError {
  return new CompressionStrategyError(
    'Expected the history to have only grown since it was asked about, got one whose entries moved. Nothing was changed; ask again.',
    'HISTORY_CHANGED',
  );
}
