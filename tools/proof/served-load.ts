/**
 * What one `density serve` process and its Redis carry: many sessions get turns at once, one process works. Prints turns in a second, their
 * time, the processor time of both for a turn, and the memory of Redis for a session.
 *
 * `npm run proof -- served-load [sessions] [turns] [bytes]`: default 200 sessions, 20 turns, 2,000 bytes each. Needs redis-server.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { openRedis } from '../../src/fleet/redis.ts';
import { haveRedis, RedisServer } from '../../test/fleet/redis-server.ts';

const COMMAND = path.resolve(import.meta.dirname, '../../../dist/density.js');
const TOKEN = 'a token of this proof';
/** The length of a tick of the processor clock, on Linux. */
const TICK_MS = 10;

/** Milliseconds of processor time that a process took. */
function processorMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

export async function prove([sessions = '200', turns = '20', bytes = '2000']: readonly string[]): Promise<boolean> {
  if (!haveRedis) return true;
  const server = new RedisServer();
  await server.start();
  const args = ['serve', '--redis', server.url, '--model', 'gpt-4.1', '--listen', '127.0.0.1:0'];
  const env = { PATH: process.env['PATH'], HOME: '/nonexistent', DENSITY_SERVICE_TOKEN: TOKEN };
  const child = spawn(process.execPath, [COMMAND, ...args], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const said = String((await once(child.stderr, 'data'))[0]);
  const url = /http:\S+\d/.exec(said)?.[0] ?? '';
  const took: number[] = [];
  let failed = 0;
  const text = 'word '.repeat(Number(bytes) / 5);
  const before = [child.pid!, server.pid].map(processorMs);
  const startedAt = performance.now();
  const played = Array.from({ length: Number(sessions) }, async (_, session) => {
    for (let turn = 0; turn < Number(turns); turn++) {
      const entries = [{ speaker: 'human', blocks: [{ type: 'text', text: `${turn} ${text}` }] }];
      const turnAt = performance.now();
      const answer = await fetch(`${url}/sessions/s${session}/turns`, {
        method: 'POST',
        headers: { authorization: `Bearer ${TOKEN}` },
        body: JSON.stringify({ turn: `t${turn}`, entries }),
      });
      await answer.text();
      if (!answer.ok) failed++;
      took.push(performance.now() - turnAt);
    }
  });
  await Promise.all(played);
  const seconds = (performance.now() - startedAt) / 1000;
  const after = [child.pid!, server.pid].map(processorMs);
  const [own, redis] = after.map((ms, index) => ((ms - before[index]!) / took.length).toFixed(2));
  const connection = await openRedis(server.url);
  const memory = Number(/used_memory:(\d+)/.exec(await connection.info('memory'))?.[1] ?? 0);
  connection.disconnect();
  const sorted = took.toSorted((one, other) => one - other);
  const at = (share: number): string => sorted[Math.floor(share * (sorted.length - 1))]!.toFixed(0);
  console.log(
    `${took.length} turns of ${sessions} sessions at once in ${seconds.toFixed(1)} s: ${(took.length / seconds).toFixed(0)} turns/s, ` +
      `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, ${failed} failed; processor ms of a turn: serve ${own}, Redis ${redis}; ` +
      `Redis ${(memory / Number(sessions) / 1000).toFixed(0)} kB for a session of ${turns} turns of ${bytes} bytes`,
  );
  child.kill('SIGTERM');
  await once(child, 'exit');
  await server.remove();
  return failed === 0;
}
