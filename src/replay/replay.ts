import { setImmediate as nextTick } from 'node:timers/promises';
import type { IContent, Usage } from '../content/content.ts';
import type { SessionEvent } from '../content/session-event.ts';
import type { DecisionCause } from '../economics/decision.ts';
import { CompressionStrategyError } from '../errors.ts';
import { isCopied, type Session } from '../formats/contract.ts';
import type { SummarizerAccess } from '../gate/options.ts';
import { PreSendGate } from '../gate/pre-send-gate.ts';
import type { RemovingStep } from '../gate/report.ts';
import type { EngineListener, EngineStats } from '../history/engine.ts';
import type { HistoryService } from '../history/history-service.ts';
import { createHistoryService } from '../offload/create-history-service.ts';
import { countedConstantTokens } from '../sessions/constant-tokens.ts';
import { contextSize } from '../sessions/context-size.ts';
import type { ContradictedCall } from '../sessions/possible-usage.ts';
import type { CompressionStrategy, Ephemerals } from '../strategies/contract.ts';
import { countedRemovals, RemovalAccount, type TokensOf } from '../strategies/removals.ts';
import { entryCounter } from '../tokens/entries/block-counter.ts';
import { familyOfModel } from '../tokens/models.ts';
import { isPossiblePrompt } from '../tokens/possible-prompt.ts';
import { brokenPairs } from './broken-pairs.ts';
import { type ContextChange, type ContextMove, changesBySteps } from './context-move.ts';
import { listenToEngine } from './engine-events.ts';
import type { RemovalLedger } from './ledger/ledger.ts';
import { rebuildPruned } from './rebuild.ts';
import { RecordedHistory } from './recorded/recorded-history.ts';
import { withRecordedLifetime } from './recorded/recorded-lifetime.ts';
import { perRule, type ReplayResult, type ReplaySetup, type ReplayTurn } from './result.ts';
import { StallProbe } from './stall-probe.ts';
import { type HistorySize, percentiles, Tally } from './tally.ts';
import { UsageComparison } from './usage-error.ts';

export interface ReplayOptions {
  readonly createStrategy: (name: string) => CompressionStrategy;
  readonly ephemerals: Ephemerals;
  /** Needed by strategies that ask a model. */
  readonly summarizer?: SummarizerAccess;
  /** A monotonic clock in milliseconds. */
  readonly clock: () => number;
  /** Called at every model call. */
  readonly onTurn?: (turn: ReplayTurn) => void;
  /** Called at every model call with the history as it is sent. */
  readonly onSend?: (history: readonly IContent[]) => void;
  /** Called with the engine's events about its threads. */
  readonly engineListener?: EngineListener;
  /** Called with each change of the context, in the order of the session. */
  readonly onMove?: (move: ContextMove) => void;
  /** Collects what is removed, when and why. */
  readonly ledger?: RemovalLedger;
  /** Called at the end with what the engine did for the history. */
  readonly onEngineStats?: (stats: EngineStats) => void;
  /** Called with the number of events played. */
  readonly onProgress?: (events: number) => void;
}

/** One session under one policy, from its first event to its last. */
class Replay {
  readonly #session: Session;
  readonly #policy: ReplaySetup;
  readonly #options: ReplayOptions;
  readonly #history: HistoryService;
  readonly #recorded: RecordedHistory;
  readonly #account = new RemovalAccount();
  /** Counted by the engine of the history, which reuses its own counts. */
  readonly #tokensOf: TokensOf = (entries) => this.#history.estimateTokensForContents(entries);
  /** Changes by the gate since the last model call. */
  #steps: RemovingStep[] = [];
  readonly #gate: PreSendGate | undefined;
  readonly #usage = new UsageComparison();
  readonly #tally = new Tally();
  readonly #probe: StallProbe;
  readonly #notices = new Set<string>();
  readonly #contradicted: ContradictedCall[] = [];
  /** Recorded time of the last event played; 0 if no event has a time. */
  #nowMs = 0;
  #event = 0;
  /** Why the edits before the current call applied; absent if none did, or where edits always apply. */
  #cause: DecisionCause | undefined;

  constructor(session: Session, policy: ReplaySetup, options: ReplayOptions) {
    this.#session = session;
    this.#policy = policy;
    this.#options = options;
    this.#probe = new StallProbe(options.clock);
    this.#history = createHistoryService({ engine: policy.engine, model: policy.model });
    if (options.engineListener) listenToEngine(this.#history, options.engineListener);
    this.#recorded = new RecordedHistory(this.#tokensOf);
    if (policy.strategy === 'none') return;
    const ephemerals = withRecordedLifetime(options.ephemerals, session);
    const { model } = policy;
    this.#gate = new PreSendGate(this.#history, {
      runtimeContext: { ephemerals, workspaceRoot: session.workspaceRoot ?? '/' },
      runtimeState: { model },
      ...(ephemerals.densityTiming?.() === 'when-it-pays' && { constantTokens: countedConstantTokens(session, model) }),
      agent: session.format,
      createStrategy: options.createStrategy,
      onRemoved: (step) => this.#steps.push(step),
      now: () => this.#nowMs,
      ...(options.summarizer && { summarizer: options.summarizer }),
    });
  }

  async run(): Promise<ReplayResult> {
    try {
      const { systemText } = this.#session;
      if (systemText !== undefined)
        this.#history.setBaseTokenOffset(await this.#history.estimateTokensForText(systemText));
      for (const [index, event] of this.#session.events.entries()) {
        this.#event = index;
        await this.#play(event);
        this.#options.onProgress?.(index + 1);
      }
      if (this.#tally.turns === 0) await this.#measure();
      const result = await this.#result();
      this.#options.onEngineStats?.(this.#history.engine.stats());
      return result;
    } finally {
      // Its timer would keep the process alive after an error.
      this.#probe.pause();
      this.#history.dispose();
    }
  }

  async #play(event: SessionEvent): Promise<void> {
    if (event.kind === 'replace') {
      await this.#rebuild(event.contents);
    } else {
      // An answer has the time of its end, so the model call has the time of the entry before it.
      if (event.content.speaker === 'ai') await this.#call(event.content.metadata?.usage);
      this.#history.add(event.content);
      this.#nowMs = event.content.metadata?.timestamp ?? this.#nowMs;
    }
    this.#recorded.play(event);
  }

  /** Rebuilds the history as the recorded agent did. */
  async #rebuild(contents: readonly IContent[]): Promise<void> {
    const rebuilt = rebuildPruned(contents, this.#recorded.entries, this.#history.getRawHistory());
    await this.#history.waitForTokenUpdates();
    await this.#history.replaceAll(rebuilt);
    this.#moved({ kind: 'rebuilt', changes: [], after: rebuilt });
    this.#tally.rebuilds++;
    this.#usage.forget();
  }

  /** A model call: the work of an agent before it sends. Only that work is timed. */
  async #call(usage: Usage | undefined): Promise<void> {
    const turn = ++this.#tally.turns;
    // The timer of the probe runs before and after, like an agent's terminal.
    this.#probe.resume();
    await nextTick();
    const startedAt = this.#options.clock();
    const isRefused = await this.#passGate(turn);
    const gateMs = this.#options.clock() - startedAt;
    await nextTick();
    const stallMs = this.#probe.pause();
    this.#tally.gateMs.add(gateMs);
    if (isRefused) this.#tally.refused++;
    const steps = this.#book(turn);
    this.#options.onSend?.(this.#history.getAll());
    const size = await this.#measure(usage);
    const isCompressed = steps.some(({ kind }) => kind === 'compressed');
    this.#options.onTurn?.({ turn, ...size, gateMs, stallMs, isCompressed, isRefused });
  }

  /** True if the gate could not make the prompt fit. */
  async #passGate(turn: number): Promise<boolean> {
    if (this.#gate === undefined) {
      await this.#history.waitForTokenUpdates();
      return false;
    }
    try {
      const { notices, density } = await this.#gate.ensureCompressionBeforeSend(`replay-${turn}`, 0, 'replay');
      for (const notice of notices) this.#notices.add(notice);
      this.#cause = density.kind === 'applied' ? density.cause : undefined;
      const cause = density.kind === 'waiting' ? density.cause : this.#cause;
      if (cause !== undefined) this.#tally.decided(cause);
      return false;
    } catch (error) {
      // The recorded agent continued, so the replay continues.
      if (!(error instanceof CompressionStrategyError) || error.code !== 'CONTEXT_WINDOW_EXCEEDED') throw error;
      return true;
    }
  }

  /** Adds the gate's removals to the tally and returns its steps. */
  #book(turn: number): readonly RemovingStep[] {
    const steps = this.#steps;
    this.#steps = [];
    for (const step of steps) {
      this.#account.add(step.changes);
      this.#options.ledger?.note({ ...step, turn });
    }
    const after = this.#history.getRawHistory();
    for (const change of changesBySteps(steps, { cause: this.#cause, after })) this.#moved(change);
    this.#tally.compressions += steps.filter(({ kind }) => kind === 'compressed').length;
    if (steps.length > 0) this.#tally.broken = Math.max(this.#tally.broken, brokenPairs(this.#recorded.entries, after));
    return steps;
  }

  #moved(change: ContextChange): void {
    this.#options.onMove?.({ event: this.#event, turn: this.#tally.turns, ...change });
  }

  /** The usage of the recorded call, unless it cannot be. */
  #possible(usage: Usage | undefined): Usage | undefined {
    const { promptTokens: reportedTokens = 0 } = usage ?? {};
    const { tokens: countedTokens } = this.#recorded;
    if (reportedTokens === 0 || isPossiblePrompt(reportedTokens, countedTokens)) return usage;
    if (!isCopied(this.#session, this.#event))
      this.#contradicted.push({ call: this.#tally.turns, reportedTokens, countedTokens });
    return undefined;
  }

  /** The prompt by the provider's count of the recorded one, less what we count that pruning removed; else by our count. */
  async #measure(usage?: Usage): Promise<HistorySize> {
    await this.#history.waitForTokenUpdates();
    await this.#recorded.count();
    const countedRaw = this.#recorded.tokens + this.#history.getBaseTokenOffset();
    const counted = this.#history.getTotalTokens();
    const possible = this.#possible(usage);
    this.#usage.addCall(possible, countedRaw);
    const tokensRaw = possible?.promptTokens || countedRaw;
    const size = {
      tokensRaw,
      tokens: Math.max(0, tokensRaw - countedRaw + counted),
      entries: this.#history.length(),
    };
    const limitTokens = this.#options.ephemerals.contextLimit();
    this.#tally.sent(size, { limitTokens, isCopied: isCopied(this.#session, this.#event) });
    return size;
  }

  async #result(): Promise<ReplayResult> {
    await this.#recorded.count();
    const removals = await countedRemovals(this.#account, this.#tokensOf);
    await this.#options.ledger?.count(this.#tokensOf);
    return {
      format: this.#session.format,
      strategy: this.#policy.strategy,
      engine: this.#history.engine.name,
      model: this.#policy.model,
      tokenizer: familyOfModel(this.#policy.model),
      ...this.#tally.figures(),
      context: contextSize(this.#session, entryCounter(this.#policy.model), this.#recorded.tokens),
      entries: this.#session.events.filter(({ kind }) => kind === 'add').length,
      tokensRecorded: this.#recorded.tokensAdded,
      contextLimit: this.#options.ephemerals.contextLimit(),
      removed: perRule(removals, 'count'),
      removedTokens: perRule(removals, 'tokens'),
      stallMs: percentiles(this.#probe.stallMs),
      contradicted: this.#contradicted,
      usageError: this.#usage.result() ?? null,
      notices: [...this.#notices],
    };
  }
}

/**
 * The measurements of a recorded session that was played, call by call, through a history and the gate.
 * Only the summarizer asks a model, and no file is written. Cost: one gate run per model call.
 * @throws CompressionStrategyError as the gate does. A prompt that cannot be made to fit is counted and does not throw.
 */
export function replaySession(session: Session, policy: ReplaySetup, options: ReplayOptions): Promise<ReplayResult> {
  return new Replay(session, policy, options).run();
}
