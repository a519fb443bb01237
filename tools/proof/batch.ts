/**
 * Many sessions on workers of a Redis server. Without faults on 1, 2 and 4 workers: throughput, efficiency, and memory of the workers
 * at each tenth. Then with faults: a worker is killed at 30%, all workers and the command at 60%, and the command runs again. Each run
 * must give the same results, and the last one must compute at most 0.1% of them twice.
 *
 * `npm run proof -- batch [sessions] [work] [workers …]`: default 10,000, `compactions`, on 1, 2 and 4. Needs redis-server and recorded
 * sessions; each of their files is read many times, with another word in it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { FleetFiles } from '../../src/fleet/batch/fleet-files.ts';
import { openRedis } from '../../src/fleet/redis.ts';
import { killed } from '../../test/fleet/killed.ts';
import { haveRedis, RedisServer } from '../../test/fleet/redis-server.ts';
import { COMPUTED } from './batch/computed.ts';
import { type SaltedQuestion, type SaltedResult, WORKS } from './batch/salted-session.ts';
import { recordedSessions } from './recorded-sessions.ts';

const MAX_TWICE = 0.001;
const TENTHS = 10;

function questions(sessions: number, work: SaltedQuestion['work']): SaltedQuestion[] {
  const files = recordedSessions().filter((file) => /shared\/data\//.test(file));
  return Array.from({ length: files.length === 0 ? 0 : sessions }, (_, index) => ({
    path: files[index % files.length]!,
    salt: Math.floor(index / files.length),
    work,
  }));
}

async function workerOf(server: RedisServer): Promise<ChildProcess> {
  const file = fileURLToPath(new URL('batch/worker-process.js', import.meta.url));
  const child = spawn(process.execPath, [file, server.url], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout!, 'data');
  return child;
}

/** Megabytes that the server has in memory. */
async function memoryOfServer(server: RedisServer): Promise<number> {
  const redis = await openRedis(server.url);
  const info = await redis.info('memory');
  redis.disconnect();
  return Number(/used_memory:(\d+)/.exec(info)?.[1] ?? 0) / 1e6;
}

/** Megabytes of memory that a process has. */
const memoryOf = ({ pid }: ChildProcess): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

interface Run {
  readonly server: RedisServer;
  readonly asked: readonly SaltedQuestion[];
  /** Called after each result with the share that is done; true ends the run. */
  readonly onShare?: (share: number) => Promise<boolean> | boolean;
}

/** The results by path and salt; rejects with `ended` if the run was ended. */
async function run({ server, asked, onShare = () => false }: Run): Promise<Map<string, string>> {
  const results = new Map<string, string>();
  const files = await FleetFiles.open<SaltedQuestion, SaltedResult>({
    url: server.url,
    kind: 'compare',
    onNobody: () => console.log('no worker'),
  });
  // Outcomes name the path only, and each path is asked about with many salts: what counts is how often each hash came.
  try {
    let done = 0;
    await files.ask(asked, async (outcome) => {
      done++;
      const text = 'result' in outcome ? outcome.result.hash : String(outcome.error);
      results.set(`${outcome.path} ${text}`, text);
      if (await onShare(done / asked.length)) throw new Error('ended');
    });
  } finally {
    await files.close();
  }
  return results;
}

const digest = (results: ReadonlyMap<string, string>): string =>
  createHash('sha256')
    .update([...results.keys()].sort().join('\n'))
    .digest('hex')
    .slice(0, 12);

async function withServer<Result>(use: (server: RedisServer) => Promise<Result>): Promise<Result> {
  const server = new RedisServer();
  await server.start();
  try {
    return await use(server);
  } finally {
    await server.remove();
  }
}

interface CleanRun {
  readonly hash: string;
  readonly workers: number;
  readonly megabytesPerSecond: number;
}

/** A run without faults; prints its figures. */
const clean = (asked: readonly SaltedQuestion[], count: number): Promise<CleanRun> =>
  withServer(async (server) => {
    const workers = await Promise.all(Array.from({ length: count }, () => workerOf(server)));
    const memory: string[] = [];
    const startedAt = performance.now();
    const results = await run({
      server,
      asked,
      onShare: (share) => {
        if (share * TENTHS >= memory.length + 1) memory.push(workers.map((one) => memoryOf(one).toFixed(0)).join(' '));
        return false;
      },
    });
    const seconds = (performance.now() - startedAt) / 1000;
    const own = process.memoryUsage.rss() / 1e6;
    const kept = await memoryOfServer(server);
    await Promise.all(workers.map(killed));
    const bytes = asked.reduce((total, { path }) => total + statSync(path).size, 0);
    const megabytesPerSecond = bytes / 1e6 / seconds;
    console.log(
      `${count} workers: ${asked.length} sessions, ${(bytes / 1e6).toFixed(0)} MB in ${seconds.toFixed(1)} s: ${megabytesPerSecond.toFixed(1)} MB/s, ` +
        `${(asked.length / seconds).toFixed(0)} sessions/s; results ${digest(results)}\n` +
        `  MB of each worker at each tenth: ${memory.join(', ')}; of the command ${own.toFixed(0)}, of Redis ${kept.toFixed(0)}`,
    );
    return { hash: digest(results), workers: count, megabytesPerSecond };
  });

/** A run with kills, and the run that continues it. */
const faulty = (asked: readonly SaltedQuestion[]): Promise<{ hash: string; computed: number }> =>
  withServer(async (server) => {
    let workers = await Promise.all([workerOf(server), workerOf(server)]);
    let hasLostOne = false;
    await run({
      server,
      asked,
      onShare: async (share) => {
        if (share >= 0.3 && !hasLostOne) {
          hasLostOne = true;
          await killed(workers[0]!);
        }
        if (share < 0.6) return false;
        await Promise.all(workers.map(killed));
        return true;
      },
    }).catch((error: Error) => {
      if (error.message !== 'ended') throw error;
    });
    workers = await Promise.all([workerOf(server), workerOf(server)]);
    const results = await run({ server, asked });
    const redis = await openRedis(server.url);
    const computed = Number(await redis.get(COMPUTED));
    redis.disconnect();
    await Promise.all(workers.map(killed));
    return { hash: digest(results), computed };
  });

export async function prove([
  sessions = '10000',
  named = 'compactions',
  ...counts
]: readonly string[]): Promise<boolean> {
  const work = WORKS.find((one) => one === named);
  if (work === undefined) throw new Error(`Expected one of ${WORKS.join(', ')}, got ${named}.`);
  const asked = questions(Number(sessions), work);
  if (!haveRedis || asked.length === 0) return true;
  const runs: CleanRun[] = [];
  for (const count of counts.length > 0 ? counts : ['1', '2', '4']) runs.push(await clean(asked, Number(count)));
  const [one] = runs;
  for (const { workers, megabytesPerSecond } of runs.slice(1)) {
    const speed = megabytesPerSecond / one!.megabytesPerSecond;
    const processors = Math.min(workers, availableParallelism());
    console.log(
      `${workers} workers are ${speed.toFixed(2)} times as fast as ${one!.workers}: ${((100 * speed * one!.workers) / processors).toFixed(0)}% of what ${processors} processors could`,
    );
  }
  const { hash, computed } = await faulty(asked);
  const twice = computed - asked.length;
  console.log(`with kills at 30% and 60%: results ${hash}, ${computed} computed, ${twice} of them twice`);
  return runs.every((each) => each.hash === hash) && twice <= asked.length * MAX_TWICE;
}
