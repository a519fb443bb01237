import type { EventEmitter } from 'node:events';
import { SerialQueue } from '../serial-queue.ts';
import type { CompressionStrategy, DensityConfig, DensityResult } from '../strategies/contract.ts';
import type { Engine } from './engine.ts';
import { EntryLog, type HistoryVersions } from './entries/entry-log.ts';
import type { HistoryEvents } from './events.ts';
import { InlineEngine } from './inline-engine.ts';
import type { HistoryServiceOptions } from './options.ts';
import { lateCounter } from './tokens/late-counter.ts';
import { TokenLedger } from './tokens/token-ledger.ts';
import { CompressionWindow } from './turns/compression-window.ts';
import { UndoLog } from './undo/undo-log.ts';

/** Counts when neither an add nor a tokenization target names a model. Source: the o200k family is the largest. */
const DEFAULT_MODEL = 'gpt-4.1';

/** What a gate, and a switch of engines, need of a history beside its other methods. */
export type GateAccess = Pick<
  HistoryParts,
  'versions' | 'turns' | 'optimize' | 'waitForCompression' | 'countFor' | 'setEngine'
>;

/** What the turn loop, the editor, the restorer and the gates of one history share, its engine and its events included. */
export class HistoryParts {
  readonly log: EntryLog;
  /** Which version the history has now, and what still applies to it. */
  readonly versions: HistoryVersions;
  /** Gate work on the history runs here, one run at a time, whichever gate it comes from (ERR-032). */
  readonly turns = new SerialQueue();
  readonly ledger: TokenLedger;
  readonly window = new CompressionWindow();
  readonly undo = new UndoLog();
  /** Emits its events. What a listener throws is thrown to the one that emits; `announce` never throws. */
  readonly events: EventEmitter<HistoryEvents>;
  #engine: Engine;

  /** The parts of an empty history. */
  constructor(
    events: EventEmitter<HistoryEvents>,
    { engine, model = DEFAULT_MODEL, detectMutation = false }: HistoryServiceOptions,
  ) {
    this.events = events;
    this.#engine = engine ?? new InlineEngine(lateCounter());
    this.log = new EntryLog(this, { detectMutation });
    this.versions = this.log;
    this.ledger = new TokenLedger(this, model);
    this.#exchange(this.#engine);
  }

  /** Does the heavy work of the history now. */
  get engine(): Engine {
    return this.#engine;
  }

  /** What `strategy.optimize` returns for the entries, which it does not change. @throws what `optimize` throws. */
  optimize(strategy: CompressionStrategy, config: DensityConfig): Promise<DensityResult> {
    return this.ledger.ask(() => this.engine.optimize(strategy, this.log.entries, config));
  }

  /** Resolves when no compression is running. */
  waitForCompression(): Promise<void> {
    return this.window.closed;
  }

  /** Makes `model` the tokenization target and recounts what another model counted; linear in entries if anything was. */
  countFor(model: string): Promise<void> {
    return this.ledger.countFor(model);
  }

  /** Hands the history over to another engine when the token work queued so far is done. The old one is not disposed. */
  setEngine(engine: Engine): Promise<void> {
    return this.ledger.lock.run(async () => this.#exchange(engine));
  }

  /** From now on `engine` does the work, and its reports become events. */
  #exchange(engine: Engine): void {
    this.#engine = engine;
    const { ledger } = this;
    engine.serve(
      {
        entries: this.log.entries,
        get model() {
          return ledger.modelFor(undefined);
        },
        hasCount: (entry) => ledger.counts.known(entry, ledger.modelFor(undefined)) !== undefined,
        keepCount: (entry, count) => ledger.counts.keep(entry, count),
      },
      {
        degraded: (reason) => this.announce('engineDegraded', { reason }),
        restored: () => this.announce('engineRestored'),
        progressed: (progress) => this.announce('engineProgress', progress),
      },
    );
  }

  /** Emits an event; what a listener throws surfaces at the next wait for token updates. Never throws. */
  announce<Name extends keyof HistoryEvents>(name: Name, ...details: HistoryEvents[Name]): void {
    try {
      // The emitter's own signature cannot express the arguments of a generic name.
      (this.events as EventEmitter).emit(name, ...details);
    } catch (error) {
      this.ledger.noteFailure(error);
    }
  }
}
