/**
 * The memory of a replica of the team's proxy under the load of one member: large requests of many conversations and three APIs, 50 at once,
 * beside another member whose conversation goes on. Every request has to be answered by 200 or 503, and the other member by 200.
 *
 * `npm run proof -- team-memory [requests]`: default 300, below four minutes. Needs redis-server and /proc.
 */
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { Agent, createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { openRedis } from '../../src/fleet/redis.ts';
import { addToken } from '../../src/fleet/team/team-tokens.ts';
import { haveRedis, RedisServer } from '../../test/fleet/redis-server.ts';
import { hardBodies, readsBody } from './proxy-faults/hard-bodies.ts';
import { Replica } from './team-proxy/replica.ts';

const AT_ONCE = 50;
const ANSWER_MS = 300;
const KEEP_ALIVE_MS = 300_000;
const MAX_PEAK_MB = 1_500;
const MAX_LATER_MB = 400;
const LATER_MS = 60_000;
const TURN_MS = 500;

/** A number of /proc/<pid>/status, in MB. */
function memoryOf(pid: number, name: 'VmHWM' | 'VmRSS'): number {
  const [, kilobytes] =
    new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

interface Sent {
  readonly url: string;
  readonly session: string;
  readonly body: Buffer;
}

/** The status of the answer, or what went wrong. */
function send(agent: Agent, { url, session, body }: Sent): Promise<number | string> {
  return new Promise((resolve) => {
    const headers = { 'content-type': 'application/json', 'x-session-id': session, 'content-length': body.length };
    const sent = httpRequest(url, { method: 'POST', agent, headers }, (answer) => {
      answer.on('end', () => resolve(answer.statusCode ?? 0)).on('error', (error) => resolve(error.message));
      answer.resume();
    });
    sent.on('error', (error) => resolve(error.message));
    sent.end(body);
  });
}

async function load(replica: Replica, tokens: readonly [string, string], requests: number): Promise<string[]> {
  const agent = new Agent({ keepAlive: true });
  const [member, other] = tokens.map((token) => `${replica.origin}/${token}${replica.mount}`) as [string, string];
  const bodies = [...hardBodies(), ...hardBodies().filter(({ body }) => body.length > 20_000_000)];
  const counts = new Map<number | string, number>();
  let [next, isOver] = [0, false];
  const worker = async (): Promise<void> => {
    for (let at = next++; at < requests; at = next++) {
      const { path, body } = bodies[at % bodies.length]!;
      const status = await send(agent, { url: member + path, session: `large-${at}`, body });
      counts.set(status, (counts.get(status) ?? 0) + 1);
    }
  };
  const others: (number | string)[] = [];
  const working = (async () => {
    for (let turn = 1; !isOver; turn++) {
      const body = readsBody(Math.min(60, turn), 15_000);
      others.push(await send(agent, { url: `${other}/v1/messages`, session: 'other', body }));
      await wait(TURN_MS);
    }
  })();
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  isOver = true;
  await working;
  agent.destroy();
  const words = [...counts].map(([status, count]) => `${count} × ${status}`).join(', ');
  const served = others.filter((status) => status === 200).length;
  console.log(
    `${requests} requests of one member: ${words}; another member: ${served} of ${others.length} answered by 200`,
  );
  const foreign = [...counts.keys(), ...others].filter((status) => status !== 200 && status !== 503);
  return foreign.map((status) => `an answer was ${status}`);
}

export async function prove([requests = '300']: readonly string[]): Promise<boolean> {
  if (!haveRedis) return true;
  if (!existsSync('/proc/self/status')) {
    console.log('/proc is absent: the memory of a process cannot be measured.');
    return true;
  }
  const upstream = createServer((request, response) => {
    request.resume().on('end', () => setTimeout(() => response.end('{}'), ANSWER_MS));
  });
  // A connection that ends while the next request comes would be a 502; providers keep theirs longer than Node.
  upstream.keepAliveTimeout = KEEP_ALIVE_MS;
  upstream.listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  const server = new RedisServer();
  await server.start();
  const replica = new Replica(server.url, `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`);
  try {
    const redis = await openRedis(server.url);
    const limit = { perMinute: 1_000_000, atOnce: AT_ONCE };
    const tokens = [await addToken(redis, 'member', limit), await addToken(redis, 'other', limit)] as const;
    redis.disconnect();
    await replica.start();
    const startedAt = performance.now();
    const problems = await load(replica, tokens, Number(requests));
    const tookS = (performance.now() - startedAt) / 1_000;
    const peak = memoryOf(replica.pid, 'VmHWM');
    await wait(LATER_MS);
    const later = memoryOf(replica.pid, 'VmRSS');
    console.log(`${tookS.toFixed(0)} s; memory at most ${peak.toFixed(0)} MB, a minute later ${later.toFixed(0)} MB`);
    for (const one of replica.troubles) console.log(`the replica said: ${one}`);
    if (replica.troubles.some((one) => one.includes('nothing caught'))) problems.push('the guard acted');
    if (peak > MAX_PEAK_MB) problems.push(`more than ${MAX_PEAK_MB} MB at most`);
    if (later > MAX_LATER_MB) problems.push(`more than ${MAX_LATER_MB} MB a minute later`);
    for (const problem of new Set(problems)) console.log(`PROBLEM: ${problem}`);
    return problems.length === 0;
  } finally {
    await replica.kill();
    await server.remove();
    upstream.close();
    upstream.closeAllConnections();
  }
}
