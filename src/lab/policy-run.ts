import type { IContent } from '../content/content.ts';
import type { FileAccessOf } from '../content/files/cached-file-access.ts';
import type { RecordedEvents, SessionEvent } from '../content/session-event.ts';
import type { ToolVocabulary } from '../content/vocabularies/vocabulary.ts';
import { billedTokens, callDollars } from '../economics/bill.ts';
import { cacheRuleOf } from '../economics/cache-rules.ts';
import { defaultLifetimeMs } from '../economics/cost-rules.ts';
import { priceOf } from '../economics/prices.ts';
import { PromptCache } from '../economics/prompt-cache.ts';
import type { PauseLengths } from '../economics/warm/pause-lengths.ts';
import { type PausePings, PlayedPings } from '../economics/warm/played-pings.ts';
import { isCopied, type Session } from '../formats/contract.ts';
import { densityConfig } from '../gate/density/density-step.ts';
import {
  answersIn,
  configAt,
  dropsThinking,
  givenLifetimeMs,
  type PruningDecision,
  type PruningMoment,
  type PruningTerms,
  pruningDecision,
} from '../pruning/pruning-decision.ts';
import { SentPrompts } from '../pruning/sent-prompts.ts';
import { type ContextChange, type ContextMove, columnAfter, entriesAfter } from '../replay/context-move.ts';
import { rebuildPruned } from '../replay/rebuild.ts';
import { compressedEntries, optimizedEntries } from '../strategies/changed-entries.ts';
import type {
  CompressionContext,
  CompressionStrategy,
  DensityConfig,
  DensityResult,
  Ephemerals,
} from '../strategies/contract.ts';
import { getCompressionStrategy } from '../strategies/index.ts';

interface RunOptions {
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
  /** False: nothing is compressed at the threshold. True when absent. */
  readonly compresses?: boolean;
  /** Keeps the prompt cache warm, as these pauses make it likely that a call follows. Absent: sends no ping. */
  readonly keepsWarm?: PauseLengths | undefined;
}

/**
 * A session under a policy, with only the steps of the gate: no threads, no lock, no clock. It optimises and compresses
 * as the gate does below the hard limit, and test/replay/same-requests.test.ts holds its requests equal to the gate's in bytes.
 * It exists for speed: six policies over 23 MB take 0.5 s of processor time, and 3.5 s through the gate. Cost: one
 * optimisation per model call.
 */
export class PolicyRun {
  readonly #session: Session;
  readonly #options: RunOptions;
  readonly #strategy: CompressionStrategy;
  /** Read once: settings do not change during a run. */
  readonly #config: DensityConfig;
  readonly #thresholdTokens: number;
  readonly #terms: PruningTerms;
  /** True if the policy prunes only when it pays. */
  readonly #waits: boolean;
  readonly #moves: ContextMove[] = [];
  readonly #sent = new SentPrompts();
  #entries: IContent[] = [];
  /** Tokens of each entry, and sums up to each entry. */
  #tokens: number[] = [];
  #totalTokens: number;
  #recorded: IContent[] = [];
  #event = 0;
  #turn = 0;
  #nowMs: number | undefined;
  #lastCallMs: number | undefined;
  /** Since the last call or ping; without times, a call follows at once. */
  #idleMs = 0;
  /** The entries with which the last answer ended. */
  #answered = 0;
  readonly #warmth: PlayedPings | undefined;
  readonly #cache: PromptCache | undefined;
  readonly #pings = new Map<number, PausePings>();

  constructor(session: Session, options: RunOptions) {
    this.#session = session;
    this.#options = options;
    this.#totalTokens = options.constantTokens;
    const { ephemerals } = options;
    this.#config = densityConfig({ ephemerals, workspaceRoot: session.workspaceRoot ?? '/' });
    this.#thresholdTokens = ephemerals.compressionThreshold() * ephemerals.contextLimit();
    this.#terms = {
      model: options.model,
      agent: session.format,
      lifetimeMs: givenLifetimeMs(ephemerals),
      thresholdTokens: this.#thresholdTokens,
      exceptRepository: options.repository,
      dropsThinking: dropsThinking(this.#config),
    };
    this.#waits = ephemerals.densityTiming?.() === 'when-it-pays';
    const { tokensOf, constantTokens } = options;
    this.#cache = options.keepsWarm && new PromptCache({ tokensOf, thinkingTokensOf: () => 0, constantTokens });
    this.#warmth = options.keepsWarm && new PlayedPings(options.keepsWarm);
    this.#strategy = getCompressionStrategy(options.ephemerals.compressionStrategy(), {
      vocabulary: options.vocabulary,
      fileAccess: options.fileAccess,
    });
  }

  /**
   * The changes of the context, in the order of the session. Called again with more events after the same ones, it plays
   * those. @throws as the strategy does.
   */
  async play({ events }: RecordedEvents = this.#session): Promise<readonly ContextMove[]> {
    for (; this.#event < events.length; this.#event++) {
      const event = events[this.#event]!;
      if (event.kind === 'replace') {
        this.#rebuild(event);
        continue;
      }
      const { speaker } = event.content;
      if (speaker === 'ai') {
        this.#turn++;
        this.#pause();
        this.#optimize();
        if (this.#options.compresses !== false && this.#totalTokens >= this.#thresholdTokens) await this.#compress();
        const entries = this.#entries.length;
        this.#sent.sent({ promptTokens: this.#totalTokens, idleMs: this.#idleMs, entries });
        this.#lastCallMs = this.#nowMs;
        this.#called(event.content, this.#options.tokensOf(event.content));
      }
      this.#add(event.content);
      if (speaker === 'ai') this.#answered = this.#entries.length;
    }
    return this.#moves;
  }

  #rebuild({ contents }: Extract<SessionEvent, { kind: 'replace' }>): void {
    const after = rebuildPruned(contents, this.#recorded, this.#entries);
    this.#sent.rebuilt(this.#entries, after);
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
    const found = this.#strategy.optimize(this.#entries, this.#configNow());
    if (found.removals.length === 0 && found.replacements.size === 0) return;
    const decision = this.#waits ? this.#decide(found) : undefined;
    const result = decision === undefined ? found : decision.result;
    if (result === undefined) return;
    this.#sent.pruned(decision?.changed);
    const changes = optimizedEntries(this.#entries, result, this.#strategy.name);
    this.#move({ kind: 'optimized', changes, ...(decision && { decision }) });
  }

  #configNow(): DensityConfig {
    if (!this.#waits) return this.#config;
    return configAt(this.#config, { sentEntries: this.#sent.sentEntries, idleMs: this.#idleMs }, this.#terms);
  }

  /** The pings before each call, by its event; only of calls that some precede. */
  get pings(): ReadonlyMap<number, PausePings> {
    return this.#pings;
  }

  /** The pings if nobody comes back, and the agent is left open. */
  leftOpen(): PausePings {
    const none = { count: 0, dollars: 0, idleMs: 0, isKept: false };
    return this.#warmth?.pause(Number.POSITIVE_INFINITY, () => this.#coldGain()) ?? none;
  }

  #pause(): void {
    const now = this.#nowMs;
    const last = this.#lastCallMs;
    this.#idleMs = now === undefined || last === undefined ? 0 : now - last;
    if (this.#warmth === undefined || isCopied(this.#session, this.#event)) return;
    const pings = this.#warmth.pause(this.#idleMs, () => this.#coldGain());
    this.#idleMs = pings.idleMs;
    if (pings.count > 0) this.#pings.set(this.#event, pings);
  }

  /** What the edits that wait would save if the cache expired before the next call. */
  #coldGain(): number {
    const history = this.#entries.slice(0, this.#answered);
    const sent = { sentEntries: this.#sent.sentEntries, idleMs: Number.POSITIVE_INFINITY };
    const found = this.#waits
      ? this.#strategy.optimize?.(history, configAt(this.#config, sent, this.#terms))
      : undefined;
    if (found === undefined) return 0;
    const tokens = this.#tokens.slice(0, history.length);
    return pruningDecision(found, this.#moment(history, { tokens, ...sent }), this.#terms).expectedNet;
  }

  #called({ metadata, blocks }: IContent, outputTokens: number): void {
    const cache = this.#cache;
    if (this.#warmth === undefined || cache === undefined) return;
    const asked = cache.call(this.#entries, this.#nowMs);
    const pings = this.#pings.get(this.#event);
    const prompt = pings ? { ...asked, idleMs: pings.idleMs } : asked;
    if (isCopied(this.#session, this.#event)) return;
    const { model } = this.#terms;
    const lifetimeMs = this.#terms.lifetimeMs ?? defaultLifetimeMs(model);
    const price = priceOf(model);
    const answerTokens = metadata?.usage?.completionTokens ?? outputTokens;
    const cacheFacts = { ...cacheRuleOf(model), lifetimeMs };
    const tokens = billedTokens(prompt, { cache: cacheFacts, outputTokens: answerTokens });
    const wait = blocks.some(({ type }) => type === 'tool_call') ? 'toolWait' : 'pause';
    this.#warmth.call({ tokens, dollars: callDollars(price, tokens), price, lifetimeMs, wait });
  }

  /** What of a result is applied now. */
  #decide(found: DensityResult): PruningDecision {
    const now = { tokens: this.#tokens, sentEntries: this.#sent.sentEntries, idleMs: this.#idleMs };
    return pruningDecision(found, this.#moment(this.#entries, now), this.#terms);
  }

  #moment(history: readonly IContent[], now: Pick<PruningMoment, 'tokens' | 'sentEntries' | 'idleMs'>): PruningMoment {
    const { constantTokens } = this.#options;
    const { pastCalls } = this.#sent;
    return { ...now, history, constantTokens, pendingTokens: 0, callsMade: answersIn(history), pastCalls };
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
    this.#sent.rebuilt(this.#entries, newHistory);
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
