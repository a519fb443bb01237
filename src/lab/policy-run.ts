import type { IContent } from '../content/content.ts';
import type { FileAccessOf } from '../content/files/cached-file-access.ts';
import type { SessionEvent } from '../content/session-event.ts';
import type { ToolVocabulary } from '../content/vocabularies/vocabulary.ts';
import type { Session } from '../formats/contract.ts';
import { densityConfig } from '../gate/density/density-step.ts';
import { cacheMsOf, type PruningMoment, pruningPays, pruningWeight } from '../gate/density/density-timing.ts';
import { rebuildPruned } from '../replay/rebuild.ts';
import { type ChangedEntry, compressedEntries, optimizedEntries } from '../strategies/changed-entries.ts';
import type {
  CompressionContext,
  CompressionStrategy,
  DensityConfig,
  DensityResult,
  Ephemerals,
} from '../strategies/contract.ts';
import { getCompressionStrategy } from '../strategies/index.ts';

interface MovePlace {
  /** Number of the event that it stands before; for an answer before its model call. */
  readonly event: number;
  /** Model call that it stands before, from 1. */
  readonly turn: number;
}

interface MoveChanges {
  /** What the policy changed, with the reasons; nothing where the recorded agent did. */
  readonly changes: readonly ChangedEntry[];
}

/** What became of the context: a few entries are other ones now, or all may be. */
type ContextChange = MoveChanges &
  ({ readonly kind: 'optimized' } | { readonly kind: 'compressed' | 'rebuilt'; readonly after: readonly IContent[] });

/** A step of the policy, or the recorded agent itself, changed the context. `rebuilt`: by the agent. */
export type ContextMove = MovePlace & ContextChange;

/** The context that a change makes of `entries`. */
export function entriesAfter(entries: readonly IContent[], change: ContextChange): IContent[] {
  if (change.kind !== 'optimized') return [...change.after];
  return columnAfter(entries, { changes: change.changes, of: (entry) => entry });
}

/** What stands beside the entries, once some changed, in order: `of` those that came. */
function columnAfter<Value>(
  column: readonly Value[],
  { changes, of }: { readonly changes: readonly ChangedEntry[]; readonly of: (entry: IContent) => Value },
): Value[] {
  const changed = column.slice(0, changes[0]?.index);
  let from = changed.length;
  for (const { index, after } of changes) {
    while (from < index) changed.push(column[from++]!);
    if (after !== undefined) changed.push(of(after));
    from = index + 1;
  }
  while (from < column.length) changed.push(column[from++]!);
  return changed;
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
 * optimises and compresses as the gate does where the hard limit is not met. Cost: one optimisation per model call.
 */
export class PolicyRun {
  readonly #session: Session;
  readonly #options: RunOptions;
  readonly #strategy: CompressionStrategy;
  /** Settings do not change while a session is played. */
  readonly #config: DensityConfig;
  readonly #thresholdTokens: number;
  readonly #cacheMs: number;
  /** Prunes when it pays, not at every call. */
  readonly #waits: boolean;
  readonly #moves: ContextMove[] = [];
  #entries: IContent[] = [];
  /** Of each entry, and of all with what stands before them. */
  #tokens: number[] = [];
  #totalTokens: number;
  /** Model calls whose answers are among the entries. */
  #answeredCalls = 0;
  #recorded: IContent[] = [];
  #event = 0;
  #turn = 0;
  #nowMs: number | undefined;
  #lastCall: { readonly entries: number; readonly atMs: number | undefined } | undefined;

  constructor(session: Session, options: RunOptions) {
    this.#session = session;
    this.#options = options;
    this.#totalTokens = options.constantTokens;
    const { ephemerals } = options;
    this.#config = densityConfig({ ephemerals, workspaceRoot: session.workspaceRoot ?? '/' });
    this.#thresholdTokens = ephemerals.compressionThreshold() * ephemerals.contextLimit();
    this.#cacheMs = cacheMsOf(ephemerals);
    this.#waits = ephemerals.densityTiming?.() === 'when-it-pays';
    this.#strategy = getCompressionStrategy(options.ephemerals.compressionStrategy(), {
      vocabulary: options.vocabulary,
      fileAccess: options.fileAccess,
    });
  }

  /** What changed the context, in the order of the session. @throws what a strategy throws. */
  async play(): Promise<readonly ContextMove[]> {
    const { events } = this.#session;
    for (this.#event = 0; this.#event < events.length; this.#event++) {
      const event = events[this.#event]!;
      if (event.kind === 'replace') {
        this.#rebuild(event);
        continue;
      }
      const { speaker } = event.content;
      if (speaker === 'ai') {
        this.#turn++;
        this.#optimize();
        if (this.#totalTokens >= this.#thresholdTokens) await this.#compress();
        this.#lastCall = { entries: this.#entries.length, atMs: this.#nowMs };
        this.#answeredCalls++;
      }
      this.#add(event.content);
    }
    return this.#moves;
  }

  #rebuild({ contents }: Extract<SessionEvent, { kind: 'replace' }>): void {
    const after = rebuildPruned(contents, this.#recorded, this.#entries);
    this.#move({ kind: 'rebuilt', changes: [], after });
    this.#recorded = [...contents];
  }

  #add(content: IContent): void {
    const tokens = this.#options.tokensOf(content);
    this.#entries.push(content);
    this.#tokens.push(tokens);
    this.#totalTokens += tokens;
    this.#recorded.push(content);
    this.#nowMs = content.metadata?.timestamp ?? this.#nowMs;
  }

  #optimize(): void {
    if (this.#strategy.optimize === undefined) return;
    if (this.#waits && !this.#pays(MOST_WEIGHT)) return;
    const result = this.#strategy.optimize(this.#entries, this.#config);
    if (result.removals.length === 0 && result.replacements.size === 0) return;
    if (this.#waits && !this.#pays(this.#weightOf(result))) return;
    const changes = optimizedEntries(this.#entries, result, this.#strategy.name);
    this.#move({ kind: 'optimized', changes });
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
      cacheMs: this.#cacheMs,
    });
  }

  async #compress(): Promise<void> {
    const totalTokens = this.#totalTokens;
    const { newHistory } = await this.#strategy.compress(this.#compressionContext(totalTokens));
    const newTokens = newHistory.reduce(
      (sum, entry) => sum + this.#options.tokensOf(entry),
      this.#options.constantTokens,
    );
    if (newTokens >= totalTokens) return;
    const changes = compressedEntries(this.#entries, newHistory, this.#strategy.name);
    this.#move({ kind: 'compressed', changes, after: newHistory });
  }

  #move(change: ContextChange): void {
    this.#moves.push({ event: this.#event, turn: this.#turn, ...change });
    const after = entriesAfter(this.#entries, change);
    this.#entries = after;
    const { tokensOf } = this.#options;
    this.#tokens =
      change.kind === 'optimized'
        ? columnAfter(this.#tokens, { changes: change.changes, of: tokensOf })
        : after.map(tokensOf);
    this.#totalTokens = this.#tokens.reduce((sum, tokens) => sum + tokens, this.#options.constantTokens);
    this.#answeredCalls = after.reduce((count, { speaker }) => (speaker === 'ai' ? count + 1 : count), 0);
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
