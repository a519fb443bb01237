import type { IContent } from '../../content/content.ts';
import { curate } from '../../history/views/curate.ts';
import type { CompressionStrategy, DebugLogger, DensityResult } from '../../strategies/contract.ts';
import { toErrorData } from '../../threads/answer.ts';
import type { FamilyName } from '../../tokens/index.ts';
import type {
  Change,
  CompressTask,
  CountData,
  CountTask,
  LogLine,
  OptimizeTask,
  Outcome,
  Request,
  ResultPart,
  ThreadProgress,
} from '../protocol.ts';
import { editParts, historyParts, partBytes, revised } from '../transfer/result-parts.ts';
import { ReplicaEntries } from './replica-entries.ts';
import { threadContext } from './thread-context.ts';

/** The part of a result that fits into one reply, so that receiving it does not block the main thread. */
const REPLY_BYTES = 128 * 1024;

/** What a replica works with; the thread hands it in. */
export interface ReplicaServices {
  /** A fresh instance: it may remember what it found in the history that it is asked about. */
  strategy(name: string, vocabulary: string, logger: DebugLogger): CompressionStrategy | Promise<CompressionStrategy>;
  countEntry(entry: IContent, family: FamilyName): number;
}

/**
 * A thread's copy of one history, with the count of each entry. It takes requests in sequence only and answers
 * anything else with `need-snapshot`, so that any thread can take over. Source: docs/architecture.md, "The offload protocol".
 */
export class Replica {
  readonly #services: ReplicaServices;
  readonly #strategies = new Map<string, CompressionStrategy>();
  #entries = new ReplicaEntries();
  #generation = -1;
  #revision = 0;
  #sequence = 0;
  /** The last result of `optimize`, until it is accepted. */
  #own: { readonly sequence: number; readonly result: DensityResult } | undefined;
  /** Parts of the last result that did not fit into its reply. */
  #restOfResult: ResultPart[] = [];
  #countedBytes = 0;
  /** What strategies said since the last result. */
  #logged: LogLine[] = [];
  readonly #logger: DebugLogger = { debug: (...line) => this.#logged.push(line) };
  #listener: ((progress: ThreadProgress) => void) | undefined;
  #progress = { synchronisedEntries: 0, synchronisedBytes: 0, countedEntries: 0, countedTokens: 0 };

  constructor(services: ReplicaServices) {
    this.#services = services;
  }

  /** Text counted so far. */
  get countedBytes(): number {
    return this.#countedBytes;
  }

  get entries(): readonly IContent[] {
    return this.#entries.list('history');
  }

  /** Memory that it takes, near enough. */
  get bytes(): number {
    return this.#entries.bytes;
  }

  /** From now on `listener` is called with every change and every count, from 0 on; without an argument no listener is called. */
  reportTo(listener: ((progress: ThreadProgress) => void) | undefined): void {
    this.#listener = listener;
    this.#progress = { synchronisedEntries: 0, synchronisedBytes: 0, countedEntries: 0, countedTokens: 0 };
  }

  async receive(request: Request): Promise<Outcome> {
    if (!this.#isInStepAfter(request)) return { kind: 'need-snapshot' };
    const { task, cancelFlag, sequence } = request;
    try {
      switch (task.kind) {
        case 'count':
          return this.#count(task, cancelFlag);
        case 'optimize':
          return await this.#optimize(task, sequence);
        case 'compress':
          return await this.#compress(task);
        case 'continue':
          return { kind: 'continued', ...this.#nextParts() };
        case 'synchronise':
        case 'release':
          return { kind: 'done' };
      }
    } catch (error) {
      return { kind: 'failed', error: toErrorData(error) };
    }
  }

  #isInStepAfter({ generation, baseRevision, revision, sequence, changes }: Request): boolean {
    const starts = baseRevision === 0 && generation > this.#generation;
    const follows =
      generation === this.#generation && baseRevision === this.#revision && sequence === this.#sequence + 1;
    if (!starts && !follows) return false;
    if (starts) this.#startAnew();
    this.#generation = generation;
    this.#revision = revision;
    this.#sequence = sequence;
    try {
      for (const change of changes) this.#apply(change);
      return true;
    } catch {
      // Whatever does not fit, a snapshot mends; until then nothing follows revision -1.
      this.#revision = -1;
      return false;
    }
  }

  #startAnew(): void {
    this.#entries = new ReplicaEntries();
    this.#own = undefined;
    this.#restOfResult = [];
  }

  #apply(change: Change): void {
    if (change.kind === 'accept') {
      if (this.#own?.sequence !== change.sequence) throw new RangeError(`No result of request ${change.sequence}.`);
      this.#entries.edit(this.#own.result);
      this.#own = undefined;
      return;
    }
    const bytesBefore = this.#entries.bytes;
    this.#entries.apply(change);
    if (change.kind !== 'splice') return;
    this.#progress.synchronisedEntries += change.entries.length;
    this.#progress.synchronisedBytes += Math.max(0, this.#entries.bytes - bytesBefore);
    this.#listener?.(this.#progress);
  }

  #count(task: CountTask, cancelFlag: Int32Array): Outcome {
    const { family, list, from, to, fresh } = task;
    const entries = this.#entries.list(list);
    if (list === 'loose') this.#entries.forgetLoose();
    const counts: CountData[] = [];
    const limitBytes = this.#countedBytes + (list === 'loose' ? Number.POSITIVE_INFINITY : task.budgetBytes);
    for (let index = from; index < Math.min(to, entries.length); index++) {
      if (Atomics.load(cancelFlag, 0) !== 0) return { kind: 'cancelled' };
      if (counts.length > 0 && this.#countedBytes >= limitBytes) break;
      counts.push(this.#countOrError(entries[index]!, family, fresh));
      this.#listener?.(this.#progress);
    }
    return { kind: 'counts', counts };
  }

  #countOrError(entry: IContent, family: FamilyName, fresh: boolean): CountData {
    try {
      const tokens = this.#tokens(entry, family, fresh);
      this.#progress.countedEntries++;
      this.#progress.countedTokens += tokens;
      return tokens;
    } catch (error) {
      return { error: toErrorData(error) };
    }
  }

  async #optimize(task: OptimizeTask, sequence: number): Promise<Outcome> {
    const { strategy: name, vocabulary, family, config, length, isLogged, countFrom, budgetBytes } = task;
    const strategy = await this.#strategy(name, vocabulary);
    if (strategy.optimize === undefined) throw new TypeError(`The strategy "${name}" has no \`optimize\`.`);
    const entries = length === this.entries.length ? this.entries : this.entries.slice(0, length);
    const counts: CountData[] = [];
    const limitBytes = this.#countedBytes + budgetBytes;
    for (let index = countFrom; index < entries.length && this.#countedBytes < limitBytes; index++) {
      counts.push(this.#countOrError(entries[index]!, family, false));
    }
    const result = strategy.optimize(entries, config);
    this.#own = { sequence, result };
    const { removals, replacements, metadata, edits } = result;
    const parts = [...replacements].map(([index, entry]) =>
      revised(entries, index, entry, this.#tokens(entry, family)),
    );
    this.#restOfResult = [...parts, ...editParts(edits ?? [])];
    const lines = this.#logged.splice(0);
    const logged = isLogged ? lines : [];
    const hasEdits = edits !== undefined;
    return { kind: 'optimized', removals, metadata, counts, hasEdits, logged, ...this.#nextParts() };
  }

  async #compress(task: CompressTask): Promise<Outcome> {
    const entries = this.entries.slice(0, task.length);
    const count = (entry: IContent): number => this.#tokens(entry, task.family);
    const strategy = await this.#strategy(task.strategy, task.vocabulary);
    const { newHistory, metadata } = await strategy.compress({
      ...threadContext(task, curate(entries), count),
      logger: this.#logger,
    });
    this.#restOfResult = historyParts(entries, newHistory, count);
    return { kind: 'compressed', ...this.#nextParts(), metadata, logged: this.#logged.splice(0) };
  }

  async #strategy(name: string, vocabulary: string): Promise<CompressionStrategy> {
    const key = `${name}/${vocabulary}`;
    const known = this.#strategies.get(key) ?? (await this.#services.strategy(name, vocabulary, this.#logger));
    this.#strategies.set(key, known);
    return known;
  }

  #nextParts(): { parts: ResultPart[]; hasMore: boolean } {
    const entryBytes = (entry: IContent): number => this.#entries.factsOf(entry).bytes;
    let count = 0;
    for (let bytes = 0; count < this.#restOfResult.length && bytes < REPLY_BYTES; count++) {
      bytes += partBytes(this.#restOfResult[count]!, entryBytes);
    }
    const parts = this.#restOfResult.slice(0, count);
    this.#restOfResult = this.#restOfResult.slice(count);
    return { parts, hasMore: this.#restOfResult.length > 0 };
  }

  #tokens(entry: IContent, family: FamilyName, fresh = false): number {
    const facts = this.#entries.factsOf(entry);
    if (!fresh && facts.family === family) return facts.tokens;
    this.#countedBytes += facts.bytes;
    facts.tokens = this.#services.countEntry(entry, family);
    facts.family = family;
    return facts.tokens;
  }
}
