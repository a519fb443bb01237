import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageFile } from '../src/package-file.ts';
import { Child } from './child.ts';
import { type Limits, printLimits } from './limits.ts';
import { GrowingConversation } from './live-requests.ts';
import { EVENTS_HEADER } from './proxy-stage.ts';
import { percentile, type Row, rowOf } from './row.ts';

/** About four characters each. */
const SIZES = [
  { name: '200k', tokens: 200_000, addedMs: 2 },
  { name: '1M', tokens: 1_000_000, addedMs: 5 },
];
const PASSES = 3;
const TURNS = 100;
const WARM_TURNS = 5;
const CONVERSATIONS = 100;
const CONVERSATION_TOKENS = 20_000;
const EVENTS = 50;
const STREAM_ROUNDS = 3;
const WRAP_ROUNDS = 11;
const PATH_OF_API = '/v1/messages';

type Way = 'direct' | 'bare' | 'same' | 'ours';
const WAYS: readonly Way[] = ['direct', 'bare', 'same', 'ours'];

interface Exchanged {
  readonly firstByteMs: number;
  readonly endMs: number;
}

interface Asked {
  readonly agent: Agent;
  readonly session: string;
  readonly events?: number;
}

async function exchanged(url: string, body: Buffer, { agent, session, events = 1 }: Asked): Promise<Exchanged> {
  const startedAt = performance.now();
  const sent = request(`${url}${PATH_OF_API}`, {
    agent,
    method: 'POST',
    headers: { 'content-length': body.length, 'x-session-id': session, [EVENTS_HEADER]: events },
  });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const ended = once(response, 'end');
  await once(response, 'data');
  const firstByteMs = performance.now() - startedAt;
  await ended;
  if (response.statusCode !== 200) throw new Error(`Expected an answer, got ${response.statusCode}.`);
  return { firstByteMs, endMs: performance.now() - startedAt };
}

/** The provider, and the ways to it, each in a process of its own. */
class Stage {
  readonly #children: Child[] = [];
  readonly urls = {} as Record<Way, string>;
  ours!: Child;

  async start(): Promise<void> {
    const begin = async (method: string, input?: string): Promise<string> => {
      this.ours = new Child('proxy-stage');
      this.#children.push(this.ours);
      return this.ours.ask<string>(method, input);
    };
    this.urls.direct = await begin('provider');
    this.urls.bare = await begin('bare', this.urls.direct);
    this.urls.same = await begin('bare', this.urls.direct);
    this.urls.ours = await begin('ours', this.urls.direct);
  }

  async end(): Promise<void> {
    for (const child of this.#children) await child.end();
  }
}

/** The ordinary turns of a conversation, each sent every way; the ways take turns at being first. */
async function turns(stage: Stage, tokens: number, pass: number): Promise<Record<Way, number[]>> {
  const conversation = new GrowingConversation({ seed: pass + 1 });
  while (conversation.characters < tokens * 4) conversation.grow();
  const agents = Object.fromEntries(WAYS.map((way) => [way, new Agent({ keepAlive: true })])) as Record<Way, Agent>;
  const times: Record<Way, number[]> = { direct: [], bare: [], same: [], ours: [] };
  for (let turn = 0; turn < TURNS + WARM_TURNS; turn++) {
    conversation.grow();
    const body = conversation.body();
    for (let at = 0; at < WAYS.length; at++) {
      const way = WAYS[(at + turn) % WAYS.length]!;
      const asked = { agent: agents[way], session: `${tokens}-${pass}` };
      const { firstByteMs } = await exchanged(stage.urls[way], body, asked);
      if (turn >= WARM_TURNS) times[way].push(firstByteMs);
    }
  }
  for (const agent of Object.values(agents)) agent.destroy();
  return times;
}

const less = (values: readonly number[], others: readonly number[]): number[] =>
  values.map((value, at) => value - others[at]!);

async function firstBytes(stage: Stage, limits: Record<string, Limits[string]>): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { name, tokens, addedMs } of SIZES) {
    const passes: Record<Way, number[]>[] = [];
    for (let pass = 0; pass < PASSES; pass++) passes.push(await turns(stage, tokens, pass));
    const all = (way: Way): number[] => passes.flatMap((times) => times[way]);
    const p99 = (way: Way): number[] => passes.map((times) => percentile(less(times[way], times.bare), 0.99));
    const id = `proxy.${name}`;
    const same = rowOf(`${id}.same.p99`, 'ms', p99('same'));
    rows.push(
      rowOf(`${id}.direct`, 'ms', all('direct')),
      rowOf(`${id}.bare`, 'ms', all('bare')),
      rowOf(`${id}.ours`, 'ms', all('ours')),
      rowOf(`${id}.added`, 'ms', less(all('ours'), all('bare'))),
      rowOf(`${id}.same`, 'ms', less(all('same'), all('bare'))),
      rowOf(`${id}.added.p99`, 'ms', p99('ours')),
      same,
    );
    limits[`${id}.added`] = ['<=', addedMs];
    limits[`${id}.added.p99`] = ['<=', same.median];
  }
  return rows;
}

/** A hundred conversations, whose next turns are all answered at the same time. */
async function streams(stage: Stage): Promise<Row[]> {
  const conversations = Array.from(
    { length: CONVERSATIONS },
    (_, seed) => new GrowingConversation({ seed: 1_000 + seed }),
  );
  for (const one of conversations) while (one.characters < CONVERSATION_TOKENS * 4) one.grow();
  const agents = { bare: new Agent({ keepAlive: true }), ours: new Agent({ keepAlive: true }) };
  const slowest: number[] = [];
  const drifts: number[] = [];
  const round = async (way: 'bare' | 'ours'): Promise<number[]> => {
    const ends = conversations.map((one, at) =>
      exchanged(stage.urls[way], one.body(), { agent: agents[way], session: `stream-${at}`, events: EVENTS }),
    );
    return (await Promise.all(ends)).map(({ endMs }) => endMs);
  };
  for (let count = 0; count <= STREAM_ROUNDS; count++) {
    for (const one of conversations) one.grow();
    const bare = await round('bare');
    await stage.ours.ask('watch');
    const ours = await round('ours');
    const watched = await stage.ours.ask<number[]>('watched');
    // The first round is what a resumed conversation costs, a hundred times at once.
    if (count === 0) continue;
    slowest.push(Math.max(...ours) / Math.max(...bare));
    drifts.push(percentile(watched, 0.99));
  }
  for (const agent of Object.values(agents)) agent.destroy();
  return [rowOf('proxy.streams.stall.p99', 'ms', drifts), rowOf('proxy.streams.slowest', 'ratio', slowest)];
}

/** From the start of a process to the first request of an agent, which asks at once. */
async function wrapStart(): Promise<Row[]> {
  const home = mkdtempSync(path.join(os.tmpdir(), 'bench-wrap-'));
  const bin = path.join(home, 'bin');
  mkdirSync(bin);
  const agent = path.join(bin, 'agent');
  const body = JSON.stringify({
    model: 'claude-sonnet-4-5',
    tools: [{}],
    messages: [{ role: 'user', content: 'hello' }],
  });
  writeFileSync(
    agent,
    `#!${process.execPath}\nfetch(process.env.BENCH_URL + '${PATH_OF_API}', { method: 'POST', body: ${JSON.stringify(body)} }).then((answer) => answer.text());\n`,
  );
  chmodSync(agent, 0o755);
  let arrived = (): void => {};
  const server = createServer((incoming, response) => {
    arrived();
    incoming.resume().on('end', () => response.end('{}'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const env = {
    HOME: home,
    PATH: `${bin}:${process.env['PATH']}`,
    BENCH_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  };
  const density = fileURLToPath(packageFile('dist/density.js'));
  const firstRequestMs = async (command: string, args: readonly string[]): Promise<number> => {
    const request = new Promise<number>((resolve) => {
      arrived = () => resolve(performance.now());
    });
    const startedAt = performance.now();
    const child = spawn(command, args, { env, stdio: 'ignore' });
    const [at] = await Promise.all([request, once(child, 'close')]);
    return at - startedAt;
  };
  const added: number[] = [];
  for (let round = 0; round < WRAP_ROUNDS; round++) {
    const bareMs = await firstRequestMs(agent, []);
    added.push((await firstRequestMs(process.execPath, [density, 'wrap', '--env', 'BENCH_URL', 'agent'])) - bareMs);
  }
  server.close();
  rmSync(home, { recursive: true, force: true });
  return [rowOf('proxy.wrap-start', 'ms', added)];
}

export async function run(): Promise<readonly Row[]> {
  const limits: Record<string, Limits[string]> = {
    'proxy.streams.stall.p99': ['<=', 10],
    'proxy.streams.slowest': ['<=', 1.1],
    'proxy.wrap-start': ['<=', 300],
  };
  const stage = new Stage();
  await stage.start();
  const rows: Row[] = [];
  try {
    rows.push(...(await firstBytes(stage, limits)), ...(await streams(stage)));
  } finally {
    await stage.end();
  }
  rows.push(...(await wrapStart()));
  printLimits(rows, limits);
  return rows;
}
