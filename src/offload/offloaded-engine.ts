import type { IContent } from '../content/content.ts';
import type { CountRequest, Engine, EntryCount, HistoryChange } from '../history/engine.ts';
import type {
  CompressionContext,
  CompressionResult,
  CompressionStrategy,
  DensityConfig,
  DensityResult,
} from '../strategies/contract.ts';
import type { FamilyName } from '../tokens/index.ts';
import { familyOfModel } from '../tokens/models.ts';
import { applyBlockEdits } from './block-edits.ts';
import { fromErrorData } from './error-data.ts';
import { ThreadLostError, type ThreadPool } from './pool.ts';
import type { CountTask, HistoryPart, Outcome, Revised, Task } from './protocol.ts';
import { registeredName } from './registered-strategy.ts';
import { type LinkFigures, ReplicaLink } from './replica-link.ts';

/** Text counted for one request: small enough that histories take turns, large enough that messages do not matter. */
const COUNT_BUDGET_UNITS = 512 * 1024;

export interface OffloadedEngineOptions {
  readonly pool: ThreadPool;
  /** Does the work when no thread can. */
  readonly fallback: Engine;
  /** Told when work falls back to the calling thread, and when threads serve again; once each time. */
  readonly onDegraded?: (reason: Error) => void;
  readonly onRestored?: () => void;
}

type OutcomeOf<Kind extends Outcome['kind']> = Extract<Outcome, { kind: Kind }>;

function expectKind<Kind extends Outcome['kind']>(outcome: Outcome, kind: Kind): OutcomeOf<Kind> {
  if (outcome.kind === 'failed') throw fromErrorData(outcome.error);
  if (outcome.kind !== kind) throw new ThreadLostError('garbage', new Error(`it answered ${outcome.kind} for ${kind}`));
  return outcome as OutcomeOf<Kind>;
}

/**
 * Does the work of one history on a thread of the pool, which keeps a replica. What a task throws is rethrown here;
 * when a thread is lost twice the work is done inline, in slices that yield, and nothing is lost. Source: DESIGN 3.1.
 */
export class OffloadedEngine implements Engine {
  readonly name = 'offloaded';
  readonly #options: OffloadedEngineOptions;
  readonly #link: ReplicaLink;
  /** Counts that came with a result, so that applying it asks nothing again. */
  readonly #known = new WeakMap<IContent, { readonly family: FamilyName; readonly tokens: number }>();
  #family: FamilyName = 'unknown';
  #isDegraded = false;

  constructor(options: OffloadedEngineOptions) {
    this.#options = options;
    this.#link = new ReplicaLink(options.pool);
  }

  get figures(): LinkFigures {
    return this.#link.figures();
  }

  changed(change: HistoryChange): void {
    this.#link.note(change);
    this.#options.fallback.changed(change);
  }

  async *countEntries(entries: readonly IContent[], request: CountRequest): AsyncGenerator<readonly EntryCount[]> {
    this.#family = familyOfModel(request.model);
    const stop = (): void => this.#link.cancel();
    request.signal.addEventListener('abort', stop, { once: true });
    let done = 0;
    try {
      while (done < entries.length && !request.signal.aborted) {
        const counts = this.#knownCounts(entries, done, request) ?? (await this.#countOnThread(entries, done, request));
        if (counts.length === 0) return;
        done += counts.length;
        yield counts;
      }
    } catch (error) {
      this.#degrade(error);
      yield* this.#options.fallback.countEntries(entries.slice(done), request);
    } finally {
      request.signal.removeEventListener('abort', stop);
    }
  }

  countText(text: string, model: string): Promise<number> {
    return this.#offload(
      { kind: 'count-text', family: familyOfModel(model), text },
      (outcome) => {
        const [count] = expectKind(outcome, 'counts').counts;
        if (typeof count === 'object') throw fromErrorData(count.error);
        return count ?? 0;
      },
      () => this.#options.fallback.countText(text, model),
    );
  }

  optimize(strategy: CompressionStrategy, history: readonly IContent[], config: DensityConfig): Promise<DensityResult> {
    const inline = (): Promise<DensityResult> => this.#options.fallback.optimize(strategy, history, config);
    const name = registeredName(strategy);
    if (name === undefined) return inline();
    return this.#offload(
      { kind: 'optimize', ...name, family: this.#family, config },
      (outcome) => {
        const { removals, replacements, metadata } = expectKind(outcome, 'optimized');
        const rebuilt = replacements.map((revised) => [revised.from, this.#rebuild(history, revised)] as const);
        const result: DensityResult = { removals, replacements: new Map(rebuilt), metadata };
        this.#link.rememberResult(result);
        return result;
      },
      inline,
    );
  }

  compress(strategy: CompressionStrategy, context: CompressionContext): Promise<CompressionResult> {
    const inline = (): Promise<CompressionResult> => this.#options.fallback.compress(strategy, context);
    const name = registeredName(strategy);
    if (name === undefined) return inline();
    const { ephemerals, workspaceRoot } = context.runtimeContext;
    const { entries } = this.#link;
    return this.#offload(
      {
        kind: 'compress',
        ...name,
        family: this.#family,
        compressionThreshold: ephemerals.compressionThreshold(),
        preserveThreshold: ephemerals.preserveThreshold(),
        contextLimitTokens: ephemerals.contextLimit(),
        workspaceRoot,
        currentTokens: context.currentTokenCount,
      },
      (outcome) => {
        const { parts, metadata } = expectKind(outcome, 'compressed');
        return { newHistory: parts.flatMap((part) => this.#entriesOf(entries, part)), metadata };
      },
      inline,
    );
  }

  fork(): OffloadedEngine {
    return new OffloadedEngine({ ...this.#options, fallback: this.#options.fallback.fork() });
  }

  async dispose(): Promise<void> {
    await this.#link.release();
    await this.#options.fallback.dispose();
  }

  async #offload<Result>(
    task: Task,
    read: (outcome: Outcome) => Result,
    inline: () => Promise<Result>,
  ): Promise<Result> {
    let outcome: Outcome;
    try {
      outcome = await this.#link.request(task);
    } catch (error) {
      this.#degrade(error);
      return inline();
    }
    this.#restore();
    return read(outcome);
  }

  async #countOnThread(
    entries: readonly IContent[],
    done: number,
    { fresh }: CountRequest,
  ): Promise<readonly EntryCount[]> {
    const outcome = await this.#link.request(() => ({
      kind: 'count',
      family: this.#family,
      range: this.#rangeOf(entries, done),
      fresh,
      budgetUnits: COUNT_BUDGET_UNITS,
    }));
    this.#restore();
    if (outcome.kind === 'cancelled') return [];
    return expectKind(outcome, 'counts').counts.map((count) =>
      typeof count === 'number' ? { tokens: count } : { error: fromErrorData(count.error) },
    );
  }

  /** Where `entries` from `done` on stand in the history; the entries themselves when they are not in it, in a row. */
  #rangeOf(entries: readonly IContent[], done: number): CountTask['range'] {
    const history = this.#link.entries;
    const from = history.lastIndexOf(entries[done]!);
    let length = 0;
    while (from !== -1 && done + length < entries.length && history[from + length] === entries[done + length]) length++;
    return length > 0 ? { from, to: from + length } : { entries: [entries[done]!] };
  }

  #knownCounts(entries: readonly IContent[], done: number, { fresh }: CountRequest): EntryCount[] | undefined {
    if (fresh) return undefined;
    const counts: EntryCount[] = [];
    for (let index = done; index < entries.length; index++) {
      const known = this.#known.get(entries[index]!);
      if (known?.family !== this.#family) break;
      counts.push({ tokens: known.tokens });
    }
    return counts.length > 0 ? counts : undefined;
  }

  #entriesOf(history: readonly IContent[], part: HistoryPart): readonly IContent[] {
    return 'keepFrom' in part ? history.slice(part.keepFrom, part.keepTo) : [this.#rebuild(history, part)];
  }

  #rebuild(history: readonly IContent[], revised: Revised): IContent {
    const entry = 'content' in revised ? revised.content : applyBlockEdits(history[revised.from]!, revised.blocks);
    this.#known.set(entry, { family: this.#family, tokens: revised.tokens });
    return entry;
  }

  /** @throws `error` itself when it is neither a lost thread nor a history that cannot be sent. */
  #degrade(error: unknown): void {
    const isUnsendable = error instanceof DOMException && error.name === 'DataCloneError';
    if (!(error instanceof ThreadLostError) && !isUnsendable) throw error;
    if (this.#isDegraded) return;
    this.#isDegraded = true;
    this.#options.onDegraded?.(error);
  }

  #restore(): void {
    if (!this.#isDegraded) return;
    this.#isDegraded = false;
    this.#options.onRestored?.();
  }
}
