import type { EventEmitter } from 'node:events';
import type { Engine } from './engine.ts';
import { EntryLog } from './entries/entry-log.ts';
import type { HistoryEvents } from './events.ts';
import { InlineEngine } from './inline-engine.ts';
import type { HistoryServiceOptions } from './options.ts';
import { lateCounter } from './tokens/late-counter.ts';
import { TokenLedger } from './tokens/token-ledger.ts';
import { CompressionWindow } from './turns/compression-window.ts';
import { UndoLog } from './undo/undo-log.ts';

/** Counts when neither an add nor a tokenization target names a model. Source: the o200k family is the largest. */
const DEFAULT_MODEL = 'gpt-4.1';

/** What the turn loop, the editor and the restorer of one history share, its engine and its events included. */
export class HistoryParts {
  readonly log: EntryLog;
  readonly ledger: TokenLedger;
  readonly window = new CompressionWindow();
  readonly undo = new UndoLog();
  readonly #emitter: EventEmitter<HistoryEvents>;
  #engine: Engine;

  /** Of an empty history whose events `emitter` emits. */
  constructor(
    emitter: EventEmitter<HistoryEvents>,
    { engine, model = DEFAULT_MODEL, detectMutation = false }: HistoryServiceOptions,
  ) {
    this.#emitter = emitter;
    this.#engine = engine ?? new InlineEngine(lateCounter());
    this.log = new EntryLog(this, { detectMutation });
    this.ledger = new TokenLedger({
      log: this.log,
      current: this,
      announce: (update) => this.announce('tokensUpdated', update),
      defaultModel: model,
    });
    this.exchange(this.#engine);
  }

  /** Does the heavy work of the history now. */
  get engine(): Engine {
    return this.#engine;
  }

  /** From now on `engine` does the work, and its reports become events. The engine before it is not disposed. */
  exchange(engine: Engine): void {
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

  hasListeners(name: keyof HistoryEvents): boolean {
    return this.#emitter.listenerCount(name) > 0;
  }

  /** Emits an event. @throws what a listener throws. */
  emit<Name extends keyof HistoryEvents>(name: Name, ...details: HistoryEvents[Name]): void {
    // The emitter's own signature cannot express the arguments of a generic name.
    (this.#emitter as EventEmitter).emit(name, ...details);
  }

  /** Emits an event; what a listener throws surfaces at the next wait for token updates. Never throws. */
  announce<Name extends keyof HistoryEvents>(name: Name, ...details: HistoryEvents[Name]): void {
    try {
      this.emit(name, ...details);
    } catch (error) {
      this.ledger.noteFailure(error);
    }
  }
}
