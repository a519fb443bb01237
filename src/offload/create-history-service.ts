import { CompressionStrategyError } from '../errors.ts';
import { ENGINES, type Engine, type EngineName } from '../history/engine.ts';
import { HistoryService } from '../history/history-service.ts';
import { InlineEngine } from '../history/inline-engine.ts';
import type { HistoryServiceOptions } from '../history/options.ts';
import { offerEngine } from '../history/present-engine.ts';
import { lateCounter } from '../history/tokens/late-counter.ts';
import { OffloadedEngine } from './offloaded-engine.ts';
import { ThreadPool, type ThreadPoolOptions } from './thread-pool.ts';

export interface CreateHistoryServiceOptions extends Omit<HistoryServiceOptions, 'engine'> {
  readonly engine?: EngineName;
  /** Threads to share; the process's own pool when absent. */
  readonly pool?: ThreadPool;
  /** About what the history will take, such as the size of the file that is read. Threads start at once if they help then. */
  readonly expectedBytes?: number;
}

let sharedPool: ThreadPool | undefined;

/** The pool that histories of this process share unless they are given another; options count while there is none. */
export function processPool(options?: ThreadPoolOptions): ThreadPool {
  if (sharedPool === undefined || sharedPool.isClosed) {
    sharedPool = new ThreadPool(options);
  }
  return sharedPool;
}

/**
 * A new engine for one history; threads start when it is large enough.
 * @throws CompressionStrategyError `SETTING_INVALID` for an unknown name.
 */
export function createEngine(name: EngineName, pool?: ThreadPool, expectedBytes?: number): Engine {
  if (!ENGINES.includes(name)) {
    const known = ENGINES.map((engine) => `"${engine}"`).join(' or ');
    throw new CompressionStrategyError(
      `Expected \`engine\` to be ${known}, got ${JSON.stringify(name)}.`,
      'SETTING_INVALID',
    );
  }
  const createInline = (): InlineEngine => new InlineEngine(lateCounter());
  if (name === 'inline') return createInline();
  const threads = pool ?? processPool();
  const createOffloaded = (): Engine =>
    new OffloadedEngine({ pool: threads, fallback: createInline(), minBytes: threads.minBytes, expectedBytes });
  // A pool that a caller gave is for the histories of that caller alone.
  if (pool === undefined) offerEngine({ createEngine: createOffloaded, isOpen: () => threads.isRunning });
  return createOffloaded();
}

/** A history whose heavy work is done on threads, or in process for `engine: 'inline'`: same class, same results. */
export function createHistoryService(options: CreateHistoryServiceOptions = {}): HistoryService {
  const { engine = 'offloaded', pool, expectedBytes, ...rest } = options;
  return new HistoryService({ ...rest, engine: createEngine(engine, pool, expectedBytes) });
}

/** Hands a running history over to another engine when its counts in flight are done, and releases the old one. */
export async function switchEngine(history: HistoryService, name: EngineName, pool?: ThreadPool): Promise<void> {
  const before = history.engine;
  await history.gateAccess.setEngine(createEngine(name, pool));
  await before.dispose();
}
