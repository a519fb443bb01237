/**
 * Histories made, used and disposed by the thousand leave nothing behind: no handle, no listener of the process, no
 * replica, and no memory beyond the first rounds.
 *
 * `npm run proof -- many-histories [rounds]`: rounds of 500 histories; default 10.
 */
import {
  createEphemerals,
  createHistoryService,
  type EngineName,
  PreSendGate,
  switchEngine,
  ThreadPool,
} from '../../src/index.ts';

const HISTORIES = 500;
/** Growth of the heap in the second half of the rounds that is taken for noise. */
const MAX_GROWTH_BYTES = 2 * 1024 * 1024;
const MAX_PASSES = 200;
const MODEL = 'gpt-4.1';
const EVENTS = ['exit', 'beforeExit', 'SIGINT', 'SIGTERM', 'SIGHUP', 'uncaughtException', 'unhandledRejection'];

async function live(pool: ThreadPool, number: number): Promise<void> {
  const engines: readonly EngineName[] = ['offloaded', 'inline'];
  const history = createHistoryService({ engine: engines[number % 3 === 0 ? 1 : 0]!, pool, model: MODEL });
  history.on('tokensUpdated', () => {});
  history.add({ speaker: 'human', blocks: [{ type: 'text', text: `history ${number} `.repeat(50) }] });
  if (number % 5 === 0) await switchEngine(history, engines[number % 2]!, pool);
  const ephemerals = createEphemerals([{}], { model: MODEL });
  const gate = new PreSendGate(history, {
    runtimeContext: { ephemerals, workspaceRoot: '/' },
    runtimeState: { model: MODEL },
  });
  if (number % 2 === 0) await gate.ensureCompressionBeforeSend('p');
  // Some are disposed while they still count.
  await history.dispose();
}

const handles = (): number => process.getActiveResourcesInfo().filter((name) => name !== 'Immediate').length;
const listeners = (): number => EVENTS.reduce((sum, event) => sum + process.listenerCount(event), 0);

export async function prove([rounds = '10']: readonly string[]): Promise<boolean> {
  if (!global.gc) throw new Error('Run node with --expose-gc.');
  const pool = new ThreadPool({ threads: 1, minBytes: 0 });
  const seen: { heapBytes: number; handles: number; listeners: number; replicas: number }[] = [];
  for (let round = 0; round < Number(rounds); round++) {
    await Promise.all(Array.from({ length: HISTORIES }, (_, index) => live(pool, index)));
    // A disposed history tells its thread so without waiting for the answer.
    for (let pass = 0; pass < MAX_PASSES && (pass < 3 || pool.stats().replicas > 0); pass++) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      global.gc();
    }
    const { replicas } = pool.stats();
    seen.push({ heapBytes: process.memoryUsage().heapUsed, handles: handles(), listeners: listeners(), replicas });
  }
  for (const one of seen) console.log(JSON.stringify(one));
  const [middle, last] = [seen[Math.floor(seen.length / 2)]!, seen.at(-1)!];
  await pool.close();
  const isFlat = last.heapBytes - middle.heapBytes < MAX_GROWTH_BYTES;
  return isFlat && last.handles === seen[0]!.handles && last.listeners === seen[0]!.listeners && last.replicas === 0;
}
