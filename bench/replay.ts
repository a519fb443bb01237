import { formatNamed } from '../src/formats/index.ts';
import { linesOf } from '../src/formats/lines/lines.ts';
import { replaySession } from '../src/replay/replay.ts';
import type { ReplayResult } from '../src/replay/result.ts';
import { createEphemerals } from '../src/settings/resolve.ts';
import { getCompressionStrategy } from '../src/strategies/index.ts';
import { type Row, rowOf } from './row.ts';
import { chainedSession } from './sessions.ts';

const TOKENS = 1_000_000;
const MODEL = 'claude-sonnet-4-5';
const READ_ROUNDS = 5;
const REPLAY_ROUNDS = 3;

/** The session read from its bytes, and how fast. */
function read(
  format: string,
  bytes: Uint8Array,
): { session: ReturnType<ReturnType<typeof formatNamed>['read']>; mbPerS: number } {
  const startedAt = performance.now();
  const session = formatNamed(format).read(linesOf(() => [bytes]));
  return { session, mbPerS: bytes.length / 1000 / (performance.now() - startedAt) };
}

/** Reading and replaying a session of a million tokens, chained from recordings: in a window of 200,000 and in one that fits all of it. */
export async function run(): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const format of ['claude-code', 'codex', 'high-density']) {
    const { pieces, source } = chainedSession(format, { tokens: TOKENS, seed: 1 });
    const bytes = Buffer.concat([...pieces]);
    console.log(`${format}: ${(bytes.length / 1e6).toFixed(1)} MB chained from ${source}, seed 1`);
    const speeds = Array.from({ length: READ_ROUNDS }, () => read(format, bytes).mbPerS);
    rows.push(rowOf(`replay.read.${format}`, 'MB/s', speeds));
    if (format !== 'claude-code') continue;
    const { session } = read(format, bytes);
    for (const [name, limit] of [
      ['200k', 200_000],
      ['2M', 2_000_000],
    ] as const) {
      const results: ReplayResult[] = [];
      for (let round = 0; round < REPLAY_ROUNDS; round++) {
        results.push(
          await replaySession(
            session,
            { strategy: 'high-density', model: MODEL, engine: 'inline' },
            {
              createStrategy: (strategy) =>
                getCompressionStrategy(strategy, { vocabulary: formatNamed(format).vocabulary }),
              ephemerals: createEphemerals([{ 'context-limit': limit }], { model: MODEL }),
              clock: () => performance.now(),
            },
          ),
        );
      }
      const broken = results.reduce((sum, { pairsBroken }) => sum + pairsBroken, 0);
      if (broken > 0) throw new Error(`Expected every call to keep its response, got ${broken} broken pairs.`);
      const row = (id: string, value: (result: ReplayResult) => number): Row =>
        rowOf(`replay.${name}.${id}`, 'ms', results.map(value));
      rows.push(
        row('gate-p50', ({ gateMs }) => gateMs.p50),
        row('gate-p99', ({ gateMs }) => gateMs.p99),
        row('stall-max', ({ stallMs }) => stallMs.max),
      );
    }
  }
  return rows;
}
