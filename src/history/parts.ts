import type { EventEmitter } from 'node:events';
import { Announcer } from './announcer.ts';
import { CurrentEngine } from './current-engine.ts';
import { EntryLog } from './entries/entry-log.ts';
import type { HistoryEvents } from './events.ts';
import { InlineEngine } from './inline-engine.ts';
import type { HistoryServiceOptions } from './options.ts';
import { lateCounter } from './tokens/late-counter.ts';
import { SlotCounts } from './tokens/slot-counts.ts';
import { TokenLedger } from './tokens/token-ledger.ts';
import { TokenLock } from './tokens/token-lock.ts';
import { CompressionWindow } from './turns/compression-window.ts';
import { UndoLog } from './undo/undo-log.ts';

/** Counts when neither an add nor a tokenization target names a model. Source: the o200k family is the largest. */
const DEFAULT_MODEL = 'gpt-4.1';

/** What the turn loop, the editor and the restorer of one history share. */
export interface HistoryParts {
  readonly engine: CurrentEngine;
  readonly log: EntryLog;
  readonly ledger: TokenLedger;
  readonly window: CompressionWindow;
  readonly undo: UndoLog;
  readonly announcer: Announcer;
}

/** The parts of an empty history whose events `emitter` emits. */
export function createParts(
  emitter: EventEmitter<HistoryEvents>,
  { engine: first, model = DEFAULT_MODEL, detectMutation = false }: HistoryServiceOptions,
): HistoryParts {
  const lock = new TokenLock();
  const announcer = new Announcer(emitter, (error) => lock.noteFailure(error));
  const engine = new CurrentEngine(first ?? new InlineEngine(lateCounter()), announcer);
  const log = new EntryLog(engine, { detectMutation });
  const counts = new SlotCounts({ engine, lock, totals: log.totals });
  engine.serve({ entries: log.entries, keepCount: (entry, count) => counts.keep(entry, count) });
  return {
    engine,
    log,
    ledger: new TokenLedger({ log, lock, counts, announcer, defaultModel: model }),
    window: new CompressionWindow(),
    undo: new UndoLog(),
    announcer,
  };
}
