/**
 * Sessions on servers under faults: three `density serve` processes on one Redis, hosts that send every turn until it is
 * answered, now and then twice, to any process. During the turns a process is killed, stopped and continued, or all are
 * killed, or Redis is killed and comes back. In the end each session has each turn once, in order, and every process has
 * the same view of it.
 *
 * `npm run proof -- served-sessions [runs] [seed]`: default 100 runs. Needs redis-server.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Random, seededRandom } from '../../bench/random.ts';
import type { TurnView } from '../../src/fleet/actors/session-replica.ts';
import { haveRedis, RedisServer } from '../../test/fleet/redis-server.ts';

const COMMAND = path.resolve(import.meta.dirname, '../../../dist/density.js');
const TOKEN = 'a token of this proof';
const NODES = 3;
const SESSIONS = 4;
const TURNS = 6;
/** A turn that has no answer by then is a hang. */
const HANG_MS = 60_000;
const STOPPED_MS = 3_000;

class Node {
  url = '';
  readonly #redis: string;
  #child: ChildProcess | undefined;

  constructor(redis: string) {
    this.#redis = redis;
  }

  async start(): Promise<void> {
    const args = ['serve', '--redis', this.#redis, '--model', 'gpt-4.1', '--listen', '127.0.0.1:0'];
    const env = { PATH: process.env['PATH'], HOME: '/nonexistent', DENSITY_SERVICE_TOKEN: TOKEN };
    this.#child = spawn(process.execPath, [COMMAND, ...args], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    let text = '';
    while (!text.includes('Stop with')) text += String((await once(this.#child.stderr!, 'data'))[0]);
    this.#child.stderr!.resume();
    this.url = /http:\S+\d/.exec(text)?.[0] ?? '';
  }

  signal(name: NodeJS.Signals): void {
    this.#child?.kill(name);
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
}

type Fault = (nodes: readonly Node[], server: RedisServer, random: Random) => Promise<void>;

async function restarted(node: Node): Promise<void> {
  await node.kill();
  await node.start();
}

const FAULTS: Readonly<Record<string, Fault>> = {
  none: async () => {},
  'a process is killed': (nodes, _, random) => restarted(random.pick([...nodes])),
  'all processes are killed': async (nodes) => {
    await Promise.all(nodes.map(restarted));
  },
  'a process is stopped and continues': async (nodes, _, random) => {
    const node = random.pick([...nodes]);
    node.signal('SIGSTOP');
    await wait(STOPPED_MS);
    node.signal('SIGCONT');
  },
  'Redis is killed and comes back': async (_nodes, server) => {
    await server.kill();
    await wait(500);
    await server.start();
  },
};

const textOf = (session: number, turn: number): string => `session ${session} turn ${turn}`;

async function post(node: Node, session: number, turn: string, texts: readonly string[]): Promise<TurnView> {
  const entries = texts.map((text) => ({ speaker: 'human', blocks: [{ type: 'text', text }] }));
  const answer = await fetch(`${node.url}/sessions/s${session}/turns`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}` },
    body: JSON.stringify({ turn, entries }),
    signal: AbortSignal.timeout(15_000),
  });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  return (await answer.json()) as TurnView;
}

/** Sends a turn until it is answered; sometimes once more. */
async function sent(nodes: readonly Node[], random: Random, [session, turn]: readonly [number, number]): Promise<void> {
  const until = performance.now() + HANG_MS;
  const send = (): Promise<TurnView> => post(random.pick([...nodes]), session, `t${turn}`, [textOf(session, turn)]);
  for (;;) {
    try {
      await send();
      if (random.next() < 0.2) await send();
      return;
    } catch (error) {
      if (performance.now() > until) throw error;
      await wait(50);
    }
  }
}

const textsOf = ({ entries }: TurnView): string[] =>
  entries.flatMap(({ blocks }) => blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])));

/** What is wrong after a run; empty if nothing is. */
async function problems(nodes: readonly Node[]): Promise<string[]> {
  const found: string[] = [];
  for (let session = 0; session < SESSIONS; session++) {
    const wanted = Array.from({ length: TURNS }, (_, turn) => textOf(session, turn));
    const views = await Promise.all(nodes.map((node) => post(node, session, 'ask', [])));
    for (const view of views)
      if (JSON.stringify(textsOf(view)) !== JSON.stringify(wanted)) found.push(textsOf(view).join(' | '));
    if (new Set(views.map(({ version, tokens }) => `${version} ${tokens}`)).size > 1) found.push('views differ');
  }
  return found;
}

async function run(name: string, random: Random): Promise<{ seconds: number; found: readonly string[] }> {
  const server = new RedisServer();
  await server.start();
  const nodes = Array.from({ length: NODES }, () => new Node(server.url));
  try {
    await Promise.all(nodes.map((node) => node.start()));
    const startedAt = performance.now();
    const fault = wait(random.integer(400)).then(() => FAULTS[name]!(nodes, server, random));
    const sessions = Array.from({ length: SESSIONS }, async (_, session) => {
      for (let turn = 0; turn < TURNS; turn++) {
        await sent(nodes, random, [session, turn]);
        await wait(random.integer(100));
      }
    });
    await Promise.all([...sessions, fault]);
    const seconds = (performance.now() - startedAt) / 1000;
    return { seconds, found: await problems(nodes) };
  } finally {
    await Promise.all(nodes.map((node) => node.kill()));
    await server.remove();
  }
}

export async function prove([runs = '100', seed = '1']: readonly string[]): Promise<boolean> {
  if (!haveRedis) return true;
  const random = seededRandom(Number(seed));
  const names = Object.keys(FAULTS);
  const seconds = new Map<string, number[]>(names.map((name) => [name, []]));
  let failures = 0;
  for (let index = 0; index < Number(runs); index++) {
    const name = names[index % names.length]!;
    const outcome = await run(name, random).catch((error: Error) => ({ seconds: 0, found: [String(error)] }));
    seconds.get(name)!.push(outcome.seconds);
    if (outcome.found.length === 0) continue;
    failures++;
    console.log(`${name}: ${outcome.found.join('; ')}`);
  }
  for (const [name, all] of seconds) {
    const sorted = all.toSorted((one, other) => one - other);
    console.log(
      `${name}: ${all.length} runs, median ${sorted[Math.floor(all.length / 2)]?.toFixed(1)} s, longest ${sorted.at(-1)?.toFixed(1)} s`,
    );
  }
  console.log(`${failures} of ${runs} runs failed`);
  return failures === 0;
}
