import type { IContent } from '../../content/content.ts';
import type { FileAccessOf } from '../../content/remembered-access.ts';
import type { ToolVocabulary } from '../../content/vocabulary.ts';
import type { Session, SessionEvent } from '../../formats/contract.ts';
import { densityConfig } from '../../gate/density-step.ts';
import { cacheMsOf, type PruningMoment, pruningPays, pruningWeight } from '../../gate/density-timing.ts';
import { applyEdits } from '../../history/apply.ts';
import type {
  CompressionContext,
  CompressionStrategy,
  DensityConfig,
  DensityResult,
  Ephemerals,
} from '../../strategies/contract.ts';
import { getCompressionStrategy } from '../../strategies/index.ts';
import { rebuildPruned } from '../rebuild.ts';
import {
  type ChangeContext,
  type ChangedEntry,
  type ChangedItem,
  changedEntries,
  changedItems,
} from './changed-items.ts';

/** What a policy made of the context, as it happens. All are called in the order of the session. */
export interface RunListener {
  /** Event number `event` is about to come in; for an answer all steps before its call have run. */
  before(event: number): void;
  /** An entry came in. */
  added(entry: IContent): void;
  /** A step of the policy, or the recorded agent itself, changed the context to `after`. */
  moved(after: readonly IContent[], move: ContextMove): void;
  /** A model call is made with these entries. `atMs`: milliseconds since 1970, where recorded. */
  called(entries: readonly IContent[], call: { readonly answer: IContent; readonly atMs: number | undefined }): void;
}

/** `rebuilt`: by the recorded agent. */
export interface ContextMove {
  readonly kind: 'optimized' | 'compressed' | 'rebuilt';
  readonly items: readonly ChangedItem[];
  readonly turn: number;
  /** The entries that are other ones now; absent where any may be. */
  readonly changes?: readonly ChangedEntry[];
}

export interface RunOptions {
  readonly ephemerals: Ephemerals;
  readonly vocabulary: ToolVocabulary;
  readonly tokensOf: (entry: IContent) => number;
  readonly fileAccess: FileAccessOf;
  /** System prompt and tools. */
  readonly constantTokens: number;
}

/** More than any result can have: where it would not pay either, none has to be looked for. */
const MOST_WEIGHT = { waitingTokens: Number.POSITIVE_INFINITY, rebilledTokens: 0 };

/**
 * A session under a policy, with the steps of the gate and nothing else of it: no threads, no lock, no clock. It
 * optimises and compresses as the gate does where the hard limit is not met, and tells `listener` what came of it.
 * Cost: one optimisation per model call.
 */
export class PolicyRun {
  readonly #session: Session;
  readonly #options: RunOptions;
  readonly #listener: RunListener;
  readonly #strategy: CompressionStrategy;
  /** Settings do not change while a session is played. */
  readonly #config: DensityConfig;
  readonly #thresholdTokens: number;
  /** Prunes when it pays, not at every call. */
  readonly #waits: boolean;
  #entries: IContent[] = [];
  /** Of each entry, and of all with what stands before them. */
  #tokens: number[] = [];
  #totalTokens: number;
  /** Model calls whose answers are among the entries. */
  #answeredCalls = 0;
  #recorded: IContent[] = [];
  #turn = 0;
  #nowMs: number | undefined;
  #lastCall: { readonly entries: number; readonly atMs: number | undefined } | undefined;

  constructor(session: Session, options: RunOptions, listener: RunListener) {
    this.#session = session;
    this.#options = options;
    this.#listener = listener;
    this.#totalTokens = options.constantTokens;
    const { ephemerals } = options;
    this.#config = densityConfig({ ephemerals, workspaceRoot: session.workspaceRoot ?? '/' });
    this.#thresholdTokens = ephemerals.compressionThreshold() * ephemerals.contextLimit();
    this.#waits = ephemerals.densityTiming?.() === 'when-it-pays';
    this.#strategy = getCompressionStrategy(options.ephemerals.compressionStrategy(), {
      vocabulary: options.vocabulary,
      fileAccess: options.fileAccess,
    });
  }

  async play(): Promise<readonly IContent[]> {
    for (const [index, event] of this.#session.events.entries()) {
      if (event.kind === 'replace') {
        this.#rebuild(event);
        continue;
      }
      if (event.content.speaker === 'ai') {
        this.#turn++;
        this.#optimize();
        if (this.#totalTokens >= this.#thresholdTokens) await this.#compress();
      }
      this.#add(event.content, index);
    }
    return this.#entries;
  }

  #rebuild({ contents }: Extract<SessionEvent, { kind: 'replace' }>): void {
    const rebuilt = rebuildPruned(contents, this.#recorded, this.#entries);
    this.#move(rebuilt, { kind: 'rebuilt', items: [] });
    this.#recorded = [...contents];
  }

  #add(content: IContent, event: number): void {
    const isAnswer = content.speaker === 'ai';
    this.#listener.before(event);
    if (isAnswer) {
      this.#listener.called(this.#entries, { answer: content, atMs: this.#nowMs });
      this.#lastCall = { entries: this.#entries.length, atMs: this.#nowMs };
    }
    const tokens = this.#options.tokensOf(content);
    this.#entries.push(content);
    this.#tokens.push(tokens);
    this.#totalTokens += tokens;
    if (isAnswer) this.#answeredCalls++;
    this.#recorded.push(content);
    this.#listener.added(content);
    this.#nowMs = content.metadata?.timestamp ?? this.#nowMs;
  }

  #optimize(): void {
    if (this.#strategy.optimize === undefined) return;
    if (this.#waits && !this.#pays(MOST_WEIGHT)) return;
    const result = this.#strategy.optimize(this.#entries, this.#config);
    if (result.removals.length === 0 && result.replacements.size === 0) return;
    if (this.#waits && !this.#pays(this.#weightOf(result))) return;
    const changes = [
      ...result.removals.map((index) => ({ index, before: this.#entries[index]! })),
      ...[...result.replacements].map(([index, after]) => ({ index, before: this.#entries[index]!, after })),
    ].sort((one, other) => one.index - other.index);
    const items = changedItems(this.#entries, changes, this.#context('optimized'));
    const after = applyEdits(this.#entries, result, (index) => result.replacements.get(index));
    this.#move(after, { kind: 'optimized', items, changes });
  }

  #weightOf(result: DensityResult): Pick<PruningMoment, 'waitingTokens' | 'rebilledTokens'> {
    return pruningWeight(this.#entries, result, {
      tokens: this.#tokens,
      sentEntries: this.#lastCall?.entries ?? 0,
    });
  }

  #pays({ waitingTokens, rebilledTokens }: Pick<PruningMoment, 'waitingTokens' | 'rebilledTokens'>): boolean {
    const [now, last] = [this.#nowMs, this.#lastCall];
    return pruningPays({
      waitingTokens,
      rebilledTokens,
      historyTokens: this.#totalTokens - this.#options.constantTokens,
      answeredCalls: this.#answeredCalls,
      totalTokens: this.#totalTokens,
      thresholdTokens: this.#thresholdTokens,
      idleMs: last && (now === undefined || last.atMs === undefined ? 0 : now - last.atMs),
      cacheMs: cacheMsOf(this.#options.ephemerals),
    });
  }

  async #compress(): Promise<void> {
    const totalTokens = this.#totalTokens;
    const { newHistory } = await this.#strategy.compress(this.#compressionContext(totalTokens));
    const after = newHistory.reduce((sum, entry) => sum + this.#options.tokensOf(entry), this.#options.constantTokens);
    if (after >= totalTokens) return;
    const changes = changedEntries(this.#entries, newHistory);
    const items = changedItems(this.#entries, changes, this.#context('compressed'));
    this.#move(newHistory, { kind: 'compressed', items });
  }

  #move(after: IContent[], move: Omit<ContextMove, 'turn'>): void {
    this.#listener.moved(after, { ...move, turn: this.#turn });
    this.#entries = after;
    this.#tokens = after.map(this.#options.tokensOf);
    this.#totalTokens = this.#tokens.reduce((sum, tokens) => sum + tokens, this.#options.constantTokens);
    this.#answeredCalls = after.reduce((count, { speaker }) => (speaker === 'ai' ? count + 1 : count), 0);
  }

  #context(kind: ChangeContext['kind']): ChangeContext {
    const { vocabulary, fileAccess } = this.#options;
    const { rules, workspaceRoot } = this.#config;
    return { kind, vocabulary, workspaceRoot, seesShellWriters: rules?.shellWrites ?? false, fileAccess };
  }

  #compressionContext(currentTokenCount: number): CompressionContext {
    const { ephemerals, tokensOf } = this.#options;
    const noModel = (): never => {
      throw new Error('Expected a strategy that asks no model, got one that does.');
    };
    return {
      history: this.#entries,
      runtimeContext: { ephemerals, workspaceRoot: this.#session.workspaceRoot ?? '/' },
      runtimeState: { model: this.#session.model ?? '' },
      estimateTokens: async (contents) => contents.reduce((sum, entry) => sum + tokensOf(entry), 0),
      currentTokenCount,
      logger: { debug: () => {} },
      resolveProvider: noModel,
      promptResolver: { resolve: noModel },
      promptBaseDir: '',
      promptContext: {},
      promptId: '',
    };
  }
}
