import { randomUUID } from 'node:crypto';
import type { IContent, Usage } from '../../content/content.ts';
import { raced } from '../../deadline.ts';
import type { SummarizerAccess } from '../../gate/options.ts';
import { PreSendGate } from '../../gate/pre-send-gate.ts';
import type { CompressionOutcome, GateReport } from '../../gate/report.ts';
import type { HistoryService } from '../../history/history-service.ts';
import type { Restoration } from '../../history/undo/restoration.ts';
import type { Ephemerals, Todo } from '../../strategies/contract.ts';
import { parseCompressionStrategyName } from '../../strategies/strategy-name.ts';
import { TimeSlice } from '../../time-slice.ts';
import type { ChatListener } from '../chat-event.ts';
import type { SessionLog } from './session-log.ts';

interface ChatSessionOptions {
  readonly history: HistoryService;
  readonly log: SessionLog;
  readonly workspaceRoot: string;
  /** `model` and `ephemerals` are called at every use. */
  readonly model: () => string;
  readonly ephemerals: () => Ephemerals;
  readonly summarizer: SummarizerAccess;
  readonly emit: ChatListener;
  /** Called with entries before a step removes or shortens them. */
  readonly keep?: (entries: readonly IContent[]) => Promise<void>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** What the provider reported for a model call, and our own count of the same tokens. */
export interface CallUsage extends Usage {
  readonly countedTokens: number;
}

/** One session: its history in memory, its gate, and its file, which follows the history. */
export class ChatSession {
  readonly history: HistoryService;
  readonly log: SessionLog;
  todos: readonly Todo[] = [];
  lastGate: GateReport | undefined;
  lastUsage: CallUsage | undefined;
  /** Why the main thread does the work of threads; undefined while threads work. */
  degraded: string | undefined;
  readonly #gate: PreSendGate;
  readonly #options: ChatSessionOptions;
  isClosed = false;
  /** Replaces the configured strategy for one compression. */
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
      // The log already contains every entry that a step removes.
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
      emit({ kind: 'notice', text: `The main thread does the work of threads: ${reason.message}` });
    });
    history.on('engineRestored', () => {
      this.degraded = undefined;
      emit({ kind: 'notice', text: 'Threads work again.' });
    });
  }

  /** Adds an entry to history and file, with an id and the time; returns the added entry. */
  async add(content: IContent): Promise<IContent> {
    const metadata = { ...content.metadata, id: randomUUID(), timestamp: this.#options.now() };
    const entry: IContent = { ...content, metadata };
    this.log.add(entry);
    this.history.add(entry, this.#options.model());
    await this.log.flush();
    return entry;
  }

  /** Adds the first entries in time slices; stops when closed. `isKnown`: the session file already contains them. */
  async begin(entries: readonly IContent[], { isKnown }: { isKnown: boolean }): Promise<void> {
    const slice = new TimeSlice();
    if (isKnown) this.log.know(entries);
    for (const entry of entries) {
      if (this.isClosed) return;
      const content = isKnown ? entry : { ...entry, metadata: { ...entry.metadata, id: randomUUID() } };
      if (!isKnown) this.log.add(content);
      this.history.add(content, this.#options.model());
      if (slice.isOver()) await slice.next();
    }
    if (!isKnown) await this.log.flush();
  }

  /** Runs the gate before a send and records its changes in the file. @throws as the gate does; at once after an abort. */
  async prepareSend(signal: AbortSignal): Promise<GateReport> {
    const run = this.#gate.ensureCompressionBeforeSend(randomUUID(), 0, 'chat', { signal });
    const report = await raced(this.#followed(run, signal), signal);
    this.lastGate = report;
    const { compression, enforcement } = report;
    if (compression.kind === 'compressed' || enforcement.kind === 'enforced') this.#noteRebuilt();
    this.#options.emit({ kind: 'gate', report });
    return report;
  }

  /** Compresses now, with the configured strategy or `strategy`. @throws CompressionStrategyError `UNKNOWN_STRATEGY`; what the strategy throws; at once after an abort. */
  async compress(signal: AbortSignal, strategy?: string): Promise<CompressionOutcome> {
    this.#strategyOnce = strategy === undefined ? undefined : parseCompressionStrategyName(strategy);
    try {
      const run = this.#gate.performCompression(randomUUID(), { signal });
      const outcome = await raced(this.#followed(run, signal), signal);
      if (outcome.kind === 'compressed') this.#noteRebuilt();
      return outcome;
    } finally {
      this.#strategyOnce = undefined;
      this.#options.emit({ kind: 'status' });
    }
  }

  /** Restores what the last compression removed. */
  async undo(): Promise<Restoration> {
    const restoration = await this.history.restoreLastCompression();
    if (restoration.kind === 'restored') this.#noteRebuilt();
    this.#options.emit({ kind: 'status' });
    return restoration;
  }

  /** Writes what is pending and closes the file. */
  async close(): Promise<void> {
    this.isClosed = true;
    this.history.dispose();
    await this.log.close();
  }

  /** Records the changes of a gate run that fails or ends after an abort; its caller records those of a successful one. */
  async #followed<Outcome>(run: Promise<Outcome>, signal: AbortSignal): Promise<Outcome> {
    const version = this.history.gateAccess.versions.version();
    let isAwaited = false;
    try {
      const outcome = await run;
      isAwaited = !signal.aborted;
      return outcome;
    } finally {
      if (!isAwaited && !this.isClosed && !this.history.gateAccess.versions.hasOnlyGrownSince(version))
        this.#noteRebuilt();
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
