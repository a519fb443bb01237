import type { IContent } from '../content/content.ts';
import type { FileAccessOf } from '../content/files/cached-file-access.ts';
import type { SessionEvent } from '../content/session-event.ts';
import type { ToolVocabulary } from '../content/vocabularies/vocabulary.ts';
import type { Session } from '../formats/contract.ts';
import { densityConfig } from '../gate/density/density-step.ts';
import { type PruningDecision, pruningDecision } from '../gate/density/pruning-decision.ts';
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
  /** Number of the event after it; for an answer, the change is before its model call. */
  readonly event: number;
  /** The next model call, from 1. */
  readonly turn: number;
}

interface MoveChanges {
  /** The policy's changes with their reasons; empty if the recorded agent made the change. */
  readonly changes: readonly ChangedEntry[];
}

/** A change of the context: of a few entries, or of any. */
type ContextChange = MoveChanges &
  (
    | { readonly kind: 'optimized'; readonly decision?: Pick<PruningDecision, 'cause' | 'expectedNet'> }
    | { readonly kind: 'compressed' | 'rebuilt'; readonly after: readonly IContent[] }
  );

/** A change of the context by a step of the policy, or by the recorded agent (`rebuilt`). */
export type ContextMove = MovePlace & ContextChange;

/** `entries` after a change. */
export function entriesAfter(entries: readonly IContent[], change: ContextChange): IContent[] {
  if (change.kind !== 'optimized') return [...change.after];
  return columnAfter(entries, { changes: change.changes, of: (entry) => entry });
}

/** The values of a column beside the entries after a change. `of` computes the value of a new entry. */
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
  /** The model whose costs decide when edits apply. */
  readonly model: string;
  /** The repository of the session, which the decision must not know. */
  readonly repository?: string | undefined;
  readonly vocabulary: ToolVocabulary;
  readonly tokensOf: (entry: IContent) => number;
  readonly fileAccess: FileAccessOf;
  /** System prompt and tools. */
  readonly constantTokens: number;
}

/**
 * A session under a policy, with only the steps of the gate: no threads, no lock, no clock. It optimises and compresses
 * as the gate does below the hard limit. Cost: one optimisation per model call.
 */
export class PolicyRun {
  readonly #session: Session;
  readonly #options: RunOptions;
  readonly #strategy: CompressionStrategy;
  /** Read once: settings do not change during a run. */
  readonly #config: DensityConfig;
  readonly #thresholdTokens: number;
  /** True if the policy prunes only when it pays. */
  readonly #waits: boolean;
  readonly #moves: ContextMove[] = [];
  #entries: IContent[] = [];
  /** Tokens of each entry, and sums up to each entry. */
  #tokens: number[] = [];
  #totalTokens: number;
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
    this.#waits = ephemerals.densityTiming?.() === 'when-it-pays';
    this.#strategy = getCompressionStrategy(options.ephemerals.compressionStrategy(), {
      vocabulary: options.vocabulary,
      fileAccess: options.fileAccess,
    });
  }

  /** The changes of the context, in the order of the session. @throws as the strategy does. */
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
    const found = this.#strategy.optimize(this.#entries, this.#config);
    if (found.removals.length === 0 && found.replacements.size === 0) return;
    const decision = this.#waits ? this.#decide(found) : undefined;
    const result = decision === undefined ? found : decision.result;
    if (result === undefined) return;
    const changes = optimizedEntries(this.#entries, result, this.#strategy.name);
    this.#move({ kind: 'optimized', changes, ...(decision && { decision }) });
  }

  /** What of a result is applied now. */
  #decide(found: DensityResult): PruningDecision {
    const { ephemerals, model, constantTokens, repository } = this.#options;
    const [now, last] = [this.#nowMs, this.#lastCall];
    return pruningDecision(found, {
      history: this.#entries,
      tokens: this.#tokens,
      constantTokens,
      pendingTokens: 0,
      sentEntries: last?.entries ?? 0,
      // Without times, a call follows at once.
      idleMs: now === undefined || last?.atMs === undefined ? 0 : now - last.atMs,
      model,
      agent: this.#session.format,
      exceptRepository: repository,
      ephemerals,
      thresholdTokens: this.#thresholdTokens,
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
