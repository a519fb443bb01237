import { randomUUID } from 'node:crypto';
import type { IContent } from '../../content/content.ts';
import type { SummarizerAccess } from '../../gate/options.ts';
import { PreSendGate } from '../../gate/pre-send-gate.ts';
import type { CompressionOutcome, GateReport } from '../../gate/report.ts';
import type { HistoryService } from '../../history/history-service.ts';
import { TimeSlice } from '../../history/time-slice.ts';
import type { Restoration } from '../../history/undo/restorer.ts';
import type { Ephemerals, Todo } from '../../strategies/contract.ts';
import { parseCompressionStrategyName } from '../../strategies/index.ts';
import { abortable } from '../abortable.ts';
import type { ChatListener } from '../chat-event.ts';
import type { SessionLog } from './session-log.ts';

export interface ChatSessionOptions {
  readonly history: HistoryService;
  readonly log: SessionLog;
  readonly workspaceRoot: string;
  /** Both are asked anew at every use. */
  readonly model: () => string;
  readonly ephemerals: () => Ephemerals;
  readonly summarizer: SummarizerAccess;
  readonly emit: ChatListener;
  /** Hears of entries before a step takes them, or part of them, away. */
  readonly keep?: (entries: readonly IContent[]) => Promise<void>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** One conversation: its history in memory, the gate before it, and its file, which are kept in step. */
export class ChatSession {
  readonly history: HistoryService;
  readonly log: SessionLog;
  todos: readonly Todo[] = [];
  lastGate: GateReport | undefined;
  /** Why work is done on the main thread, while it is. */
  degraded: string | undefined;
  readonly #gate: PreSendGate;
  readonly #options: ChatSessionOptions;
  #isClosed = false;
  /** Stands in for the configured strategy for one compression. */
  #strategyOnce: string | undefined;

  constructor(options: ChatSessionOptions) {
    const { history, log, emit, workspaceRoot } = options;
    this.#options = options;
    this.history = history;
    this.log = log;
    const ephemerals = (): Ephemerals => this.#ephemerals();
    this.#gate = new PreSendGate(history, {
      runtimeContext: {
        workspaceRoot,
        get ephemerals() {
          return ephemerals();
        },
      },
      runtimeState: {
        get model() {
          return options.model();
        },
      },
      summarizer: options.summarizer,
      activeTodos: () => this.todos.filter(({ status }) => status !== 'completed'),
      // The log holds every entry already when a step takes it away.
      transcript: {
        path: log.path,
        append: async (entries) => {
          await options.keep?.(entries);
          await log.flush();
        },
      },
      onNotice: (text) => emit({ kind: 'notice', text }),
    });
    history.on('tokensUpdated', () => emit({ kind: 'status' }));
    history.on('engineDegraded', ({ reason }) => {
      this.degraded = reason.message;
      emit({ kind: 'notice', text: `Work goes on on the main thread: ${reason.message}` });
    });
    history.on('engineRestored', () => {
      this.degraded = undefined;
      emit({ kind: 'notice', text: 'Work is done on threads again.' });
    });
  }

  /** Puts an entry into history and file, with an id and the time; returns it as it stands there. */
  async add(content: IContent): Promise<IContent> {
    const metadata = { ...content.metadata, id: randomUUID(), timestamp: this.#options.now() };
    const entry: IContent = { ...content, metadata };
    this.log.add(entry);
    this.history.add(entry, this.#options.model());
    await this.log.flush();
    return entry;
  }

  /** Nothing is added to it any more. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Begins with entries, in slices, until it is closed. `isKnown`: the file of this session holds them already. */
  async begin(entries: readonly IContent[], { isKnown }: { isKnown: boolean }): Promise<void> {
    const slice = new TimeSlice();
    if (isKnown) this.log.know(entries);
    for (const entry of entries) {
      if (this.#isClosed) return;
      const content = isKnown ? entry : { ...entry, metadata: { ...entry.metadata, id: randomUUID() } };
      if (!isKnown) this.log.add(content);
      this.history.add(content, this.#options.model());
      if (slice.isOver()) await slice.next();
    }
    if (!isKnown) await this.log.flush();
  }

  /** What runs before every send; the file follows what it does. @throws as the gate does, at once when it is aborted. */
  async prepareSend(signal: AbortSignal): Promise<GateReport> {
    const run = this.#gate.ensureCompressionBeforeSend(randomUUID(), 0, 'chat', { signal });
    const report = await abortable(this.#followed(run, signal), signal);
    this.lastGate = report;
    const { compression, enforcement } = report;
    if (compression.kind === 'compressed' || enforcement.kind === 'enforced') this.#noteRebuilt();
    this.#options.emit({ kind: 'gate', report });
    return report;
  }

  /** Compresses now, with the configured strategy or another. @throws CompressionStrategyError `UNKNOWN_STRATEGY`; what the strategy throws; at once when it is aborted. */
  async compress(signal: AbortSignal, strategy?: string): Promise<CompressionOutcome> {
    this.#strategyOnce = strategy === undefined ? undefined : parseCompressionStrategyName(strategy);
    try {
      const run = this.#gate.performCompression(randomUUID(), { signal });
      const outcome = await abortable(this.#followed(run, signal), signal);
      if (outcome.kind === 'compressed') this.#noteRebuilt();
      return outcome;
    } finally {
      this.#strategyOnce = undefined;
      this.#options.emit({ kind: 'status' });
    }
  }

  /** Brings back what the last compression took away. */
  async undo(): Promise<Restoration> {
    const restoration = await this.history.restoreLastCompression();
    if (restoration.kind === 'restored') this.#noteRebuilt();
    this.#options.emit({ kind: 'status' });
    return restoration;
  }

  /** Writes what is left and ends. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.history.dispose();
    await this.log.close();
  }

  /** A gate run that fails, or that nobody waits for any more: what it changed all the same is in the file. */
  async #followed<Outcome>(run: Promise<Outcome>, signal: AbortSignal): Promise<Outcome> {
    const version = this.history.version();
    let isHeard = false;
    try {
      const outcome = await run;
      isHeard = !signal.aborted;
      return outcome;
    } finally {
      if (!isHeard && !this.#isClosed && !this.history.hasOnlyGrownSince(version)) this.#noteRebuilt();
    }
  }

  #noteRebuilt(): void {
    this.log.rebuild(this.history.getRawHistory());
  }

  #ephemerals(): Ephemerals {
    const ephemerals = this.#options.ephemerals();
    const once = this.#strategyOnce;
    return once === undefined ? ephemerals : { ...ephemerals, compressionStrategy: () => once };
  }
}
