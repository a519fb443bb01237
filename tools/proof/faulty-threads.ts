/**
 * Recorded sessions played offloaded on threads that fail at random (`faulty-engine.ts`), beside the same ones inline:
 * every report, entry and count must be equal at every turn, and no history may lose anything.
 *
 * `npm run proof -- faulty-threads [turns] [seed]`: at least that many turns; default 500. Needs `../shared`.
 */
import { isDeepStrictEqual } from 'node:util';
import { seededRandom } from '../../bench/random.ts';
import {
  createEphemerals,
  createHistoryService,
  type EngineName,
  type HistoryService,
  PreSendGate,
  ThreadPool,
} from '../../src/index.ts';
import { getCompressionStrategy } from '../../src/strategies/index.ts';
import { recordedSession, recordedSessions } from './recorded-sessions.ts';

const MODEL = 'gpt-4.1';
const SETTINGS = [
  { 'compression.strategy': 'high-density', 'context-limit': 20_000 },
  { 'compression.strategy': 'top-down-truncation', 'context-limit': 20_000 },
  { 'compression.density.recencyPruning': true, 'context-limit': 1_000_000 },
] as const;
/** So many gate runs of one session at most. */
const MAX_RUNS = 30;

const stateOf = (history: HistoryService) => ({
  entries: history.getAll(),
  tokens: history.getTokensPerEntry(),
  total: history.getTotalTokens(),
});

export async function prove([turns = '500', seed = '1']: readonly string[]): Promise<boolean> {
  const files = recordedSessions();
  if (files.length === 0) return false;
  process.env['PROOF_SEED'] = seed;
  const random = seededRandom(Number(seed));
  let nowMs = 0;
  const pool = new ThreadPool({
    minBytes: 0,
    workerFile: new URL('./faulty-engine.js', import.meta.url),
    threads: 1,
    deadlineMs: 2_000,
    maxOldGenerationSizeMb: 96,
    nowMs: () => nowMs,
  });
  const counts = { sessions: 0, turns: 0, different: 0, degraded: 0, restored: 0 };
  const play = async (file: string): Promise<void> => {
    const { events, workspaceRoot = '/', vocabulary } = recordedSession(file);
    const ephemerals = createEphemerals([random.pick(SETTINGS)], { model: MODEL });
    const twins = (['offloaded', 'inline'] satisfies EngineName[]).map((engine) => {
      const history = createHistoryService({ engine, pool, model: MODEL });
      const gate = new PreSendGate(history, {
        runtimeContext: { ephemerals, workspaceRoot },
        runtimeState: { model: MODEL },
        createStrategy: (name) => getCompressionStrategy(name, { vocabulary }),
      });
      return { history, gate };
    });
    twins[0]!.history.on('engineDegraded', () => counts.degraded++);
    twins[0]!.history.on('engineRestored', () => counts.restored++);
    const every = Math.ceil(events.length / MAX_RUNS);
    for (const [index, event] of events.entries()) {
      for (const { history } of twins) {
        if (event.kind === 'add') history.add(event.content);
        else await history.replaceAll(event.contents);
      }
      if (index % every !== 0) continue;
      // Threads that failed to load or were lost may be tried again.
      nowMs += 60_000;
      const reports = await Promise.all(
        twins.map(({ gate }) => gate.ensureCompressionBeforeSend('p').catch((error: Error) => error.message)),
      );
      const states = twins.map(({ history }) => stateOf(history));
      counts.turns++;
      if (!isDeepStrictEqual(reports[0], reports[1]) || !isDeepStrictEqual(states[0], states[1])) {
        counts.different++;
        console.log(`${file}, event ${index}: offloaded differs from inline`, reports[0], reports[1]);
      }
    }
    for (const { history } of twins) await history.dispose();
    counts.sessions++;
  };
  while (counts.turns < Number(turns)) await play(random.pick(files));
  const { generation } = pool.stats();
  await pool.close();
  console.log(`${JSON.stringify(counts)}, ${generation} threads lost`);
  return counts.different === 0 && generation > 0;
}
