import { createExactCounter } from '../history/counter.ts';
import { HistoryService, type HistoryServiceOptions } from '../history/history-service.ts';
import { InlineEngine } from '../history/inline-engine.ts';
import { OffloadedEngine } from './offloaded-engine.ts';
import { ThreadPool } from './pool.ts';

export interface CreateHistoryServiceOptions extends Omit<HistoryServiceOptions, 'engine'> {
  readonly engine?: 'offloaded' | 'inline';
  /** Threads to share; the process's own pool when absent. */
  readonly pool?: ThreadPool;
}

let sharedPool: ThreadPool | undefined;

/** The pool that histories of this process share unless they are given another; its threads start at its first use. */
export function processPool(): ThreadPool {
  sharedPool ??= new ThreadPool({ workerFile: new URL('../../workers/engine.js', import.meta.url) });
  return sharedPool;
}

/** A history whose heavy work is done on threads, or in process for `engine: 'inline'`: same class, same results. */
export function createHistoryService(options: CreateHistoryServiceOptions = {}): HistoryService {
  const { engine = 'offloaded', pool, ...rest } = options;
  const inline = new InlineEngine(createExactCounter());
  if (engine === 'inline') return new HistoryService({ ...rest, engine: inline });
  const history: HistoryService = new HistoryService({
    ...rest,
    engine: new OffloadedEngine({
      pool: pool ?? processPool(),
      fallback: inline,
      onDegraded: (reason) => history.emit('engineDegraded', { reason }),
      onRestored: () => history.emit('engineRestored'),
    }),
  });
  return history;
}
