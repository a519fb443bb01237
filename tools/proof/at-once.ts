/**
 * Everything that a history can do, at random and at once: adds, gates, engine switches, clears, replacements, undo,
 * aborts. After each round the total is that of a count from scratch, and nothing hangs.
 *
 * `npm run proof -- at-once [rounds] [seed]`: default 300 rounds of 40 steps.
 */
import { checkTotal } from '../../bench/gated-history.ts';
import { type Random, seededRandom } from '../../bench/random.ts';
import {
  createEphemerals,
  createHistoryService,
  type HistoryService,
  type IContent,
  PreSendGate,
  switchEngine,
  ThreadPool,
} from '../../src/index.ts';

const STEPS = 40;
const MODEL = 'gpt-4o';
const HANG_MS = 60_000;
const EXPECTED = /HISTORY_CHANGED|AbortError|aborted|being compressed|CANCELLED|ABORTED/;

function turn(random: Random): IContent[] {
  const id = random.hex(8);
  const file_path = `${random.pick(['a', 'b', 'c'])}.ts`;
  return [
    { speaker: 'human', blocks: [{ type: 'text', text: `please ${id}` }] },
    { speaker: 'ai', blocks: [{ type: 'tool_call', id, name: 'read_file', parameters: { file_path } }] },
    {
      speaker: 'tool',
      blocks: [
        {
          type: 'tool_response',
          callId: id,
          toolName: 'read_file',
          result: `${random.hex(9)} line\n`.repeat(random.integer(80)),
        },
      ],
    },
  ];
}

export async function prove([rounds = '300', seed = '1']: readonly string[]): Promise<boolean> {
  const random = seededRandom(Number(seed));
  const pool = new ThreadPool({ threads: 1, minBytes: 0 });
  const counts: Record<string, number> = {};
  let failures = 0;
  const step = async (history: HistoryService, gate: PreSendGate): Promise<void> => {
    const steps: Record<string, () => unknown> = {
      add: () => history.addAll(turn(random)),
      gate: () => gate.ensureCompressionBeforeSend('p'),
      density: () => gate.ensureDensityOptimized(),
      compress: () => gate.performCompression('p'),
      abort: () => gate.ensureCompressionBeforeSend('p', 0, 'send', { signal: AbortSignal.timeout(random.integer(5)) }),
      switch: () => switchEngine(history, random.pick(['inline', 'offloaded']), pool),
      clear: () => history.clear(),
      pop: () => history.pop(),
      replace: () => history.replaceAll(turn(random)),
      recount: () => history.recalculateTotalTokens(MODEL),
      estimate: () => history.estimateTokensForText('some text'),
      wait: () => history.waitForTokenUpdates(),
    };
    const name = random.pick([...Object.keys(steps), 'add', 'add', 'gate', 'gate']);
    counts[name] = (counts[name] ?? 0) + 1;
    try {
      await steps[name]!();
    } catch (error) {
      const { code = '', name: kind, message } = error as Error & { code?: string };
      if (EXPECTED.test(`${code} ${kind} ${message}`)) counts[`${name} refused`] = (counts[`${name} refused`] ?? 0) + 1;
      else {
        failures++;
        console.log(`${name}: ${(error as Error).stack}`);
      }
    }
  };
  for (let round = 0; round < Number(rounds); round++) {
    const history = createHistoryService({ engine: random.pick(['inline', 'offloaded']), pool, model: MODEL });
    const ephemerals = createEphemerals(
      [
        {
          'context-limit': random.pick([3_000, 1_000_000]),
          'compression.density.recencyPruning': true,
          'compression.strategy': 'high-density',
        },
      ],
      { model: MODEL },
    );
    const gate = new PreSendGate(history, {
      runtimeContext: { ephemerals, workspaceRoot: '/' },
      runtimeState: { model: MODEL },
    });
    const all = Promise.all(
      Array.from({ length: STEPS }, async () => {
        for (let pause = random.integer(6); pause > 0; pause--) await new Promise((resolve) => setImmediate(resolve));
        await step(history, gate);
      }),
    ).then(() => history.waitForTokenUpdates());
    const hang = Symbol('hang');
    let timer: NodeJS.Timeout | undefined;
    const won = await Promise.race([all, new Promise((resolve) => (timer = setTimeout(resolve, HANG_MS, hang)))]);
    clearTimeout(timer);
    if (won === hang) {
      failures++;
      console.log(`round ${round} hangs`);
    } else
      try {
        checkTotal(history);
      } catch (error) {
        failures++;
        console.log(`round ${round}: ${(error as Error).message}`);
      }
    await history.dispose();
  }
  await pool.close();
  console.log(`${failures} failures in ${rounds} rounds`, JSON.stringify(counts));
  return failures === 0;
}
