import type { IContent } from '../../content/content.ts';
import { messageOf } from '../../errors.ts';
import { liveHistory } from '../../formats/contract.ts';
import { highDensity } from '../../formats/high-density/high-density.ts';
import { linesOfText } from '../../formats/lines/lines.ts';
import { PreSendGate } from '../../gate/pre-send-gate.ts';
import type { GateReport } from '../../gate/report.ts';
import type { HistoryService } from '../../history/history-service.ts';
import { createHistoryService } from '../../offload/create-history-service.ts';
import { createEphemerals, type SettingLayers } from '../../settings/resolve.ts';
import type { Turn } from '../log/session-log.ts';
import type { TurnRequest } from './turn-request.ts';

export interface ReplicaOptions {
  readonly model: string;
  readonly settings: SettingLayers;
  /** Called after each gate run; without a report if it failed. */
  readonly onGate?: (run: { readonly tookMs: number; readonly report?: GateReport }) => void;
}

/** What a host may send to its model, and what the gate did for it. */
export interface TurnView {
  /** The version of the session, which rises with each commit. */
  readonly version: number;
  readonly tokens: number;
  /** Curated: fit to send. */
  readonly entries: readonly IContent[];
  /** The report of the last gate run; `error` if it failed, for example because the history cannot fit the window. */
  readonly gate: Pick<GateReport, 'density' | 'compression' | 'enforcement' | 'notices'> | { readonly error: string };
}

const HEADER = JSON.stringify({ format: 'high-density', version: 1 });

/**
 * The history of one session on this worker, made from its log. The log has the lines of a session file of ours: entries, and
 * whole histories where the gate changed something (docs/formats.md).
 */
export class SessionReplica {
  readonly history: HistoryService;
  version: number;
  readonly #gate: PreSendGate;
  readonly #onGate: ReplicaOptions['onGate'];
  /** Entries that the log has under their id. */
  readonly #logged: WeakSet<IContent>;
  #lastGate: TurnView['gate'] | undefined;

  private constructor(history: HistoryService, version: number, { model, settings, onGate }: ReplicaOptions) {
    this.history = history;
    this.#onGate = onGate;
    this.#logged = new WeakSet(history.getRawHistory());
    this.version = version;
    this.#gate = new PreSendGate(history, {
      runtimeContext: { workspaceRoot: '/', ephemerals: createEphemerals(settings, { model }) },
      runtimeState: { model },
    });
  }

  static async open(
    { version, lines }: { readonly version: number; readonly lines: readonly string[] },
    options: ReplicaOptions,
  ): Promise<SessionReplica> {
    const history = createHistoryService({ model: options.model });
    const session = highDensity.read(linesOfText([HEADER, ...lines].join('\n')));
    history.addAll(liveHistory(session));
    await history.waitForTokenUpdates();
    return new SessionReplica(history, version, options);
  }

  /** Adds the entries of turns, runs the gate, and returns the lines that say so. */
  async apply(turns: readonly Turn[]): Promise<string[]> {
    const entries = turns.flatMap(({ id, payload }) => entriesOf(id, JSON.parse(payload)));
    this.history.addAll(entries);
    for (const entry of entries) this.#logged.add(entry);
    const { versions } = this.history.gateAccess;
    const before = versions.version();
    await this.#runGate();
    const lines = entries.map((entry) => JSON.stringify(entry));
    if (versions.hasOnlyGrownSince(before)) return lines;
    const rebuilt = this.history.getRawHistory().map((entry) => (this.#logged.has(entry) ? entry.metadata?.id : entry));
    return [...lines, JSON.stringify({ history: rebuilt })];
  }

  async view(): Promise<TurnView> {
    if (this.#lastGate === undefined) await this.#runGate();
    const entries = this.history.getCuratedForProvider();
    return { version: this.version, tokens: this.history.getTotalTokens(), entries, gate: this.#lastGate! };
  }

  dispose(): void {
    this.history.dispose();
  }

  async #runGate(): Promise<void> {
    const startedAt = performance.now();
    let report: GateReport | undefined;
    try {
      report = await this.#gate.ensureCompressionBeforeSend('turn');
      const { density, compression, enforcement, notices } = report;
      this.#lastGate = { density, compression, enforcement, notices };
    } catch (error) {
      this.#lastGate = { error: messageOf(error) };
    }
    this.#onGate?.({ tookMs: performance.now() - startedAt, ...(report && { report }) });
  }
}

/** The entries of a turn, each with an id that is the same wherever it is added. */
const entriesOf = (turn: string, { entries }: TurnRequest): IContent[] =>
  entries.map((entry, index) => ({ ...entry, metadata: { ...entry.metadata, id: `${turn}:${index}` } }));
