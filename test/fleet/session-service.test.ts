import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createToolResponse, type IContent } from '../../src/content/content.ts';
import { ownerOf } from '../../src/fleet/actors/nodes.ts';
import { SessionActors } from '../../src/fleet/actors/session-actors.ts';
import type { TurnView } from '../../src/fleet/actors/session-replica.ts';
import { SessionService } from '../../src/fleet/actors/session-service.ts';
import { RedisLog } from '../../src/fleet/log/redis-log.ts';
import type { SessionLog } from '../../src/fleet/log/session-log.ts';
import { openRedis } from '../../src/fleet/redis.ts';
import { processPool } from '../../src/offload/create-history-service.ts';
import { openMetrics } from '../../src/telemetry/metrics.ts';
import { MemoryLog } from './memory-log.ts';
import { haveRedis, RedisServer } from './redis-server.ts';

const TOKEN = 'a token of this test';
const MODEL = 'gpt-4.1';

const said = (text: string): IContent => ({ speaker: 'human', blocks: [{ type: 'text', text }] });
const called = (id: string, name: string, result: string): IContent[] => [
  { speaker: 'ai', blocks: [{ type: 'tool_call', id, name, parameters: { file_path: '/w/a.ts' } }] },
  createToolResponse(id, name, result),
];
const texts = ({ entries }: TurnView): string[] =>
  entries.flatMap(({ blocks }) => blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])));

const running: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of running.splice(0)) await one.close();
});
afterAll(() => processPool().close());

interface Node {
  readonly url: string;
  readonly actors: SessionActors;
  /** Where the others think that this session belongs. */
  owner: string | undefined;
}

async function node(log: SessionLog): Promise<Node> {
  const actors = new SessionActors({ log, model: MODEL, settings: [{ 'compression.density.readWritePruning': true }] });
  const found: Node = { url: '', actors, owner: undefined };
  const service = await SessionService.start({
    actors,
    token: TOKEN,
    host: '127.0.0.1',
    port: 0,
    ownerOf: () => found.owner,
    pending: (olderThanMs) => log.pending(olderThanMs),
    metrics: await openMetrics(),
  });
  running.push({ close: () => service.close({ leaveMs: 0 }) });
  return Object.assign(found, { url: `http://127.0.0.1:${service.port}` });
}

async function post(
  url: string,
  body: unknown,
  token = TOKEN,
): Promise<{ status: number; body: TurnView & { error?: string } }> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: answer.status, body: (await answer.json()) as TurnView & { error?: string } };
}

const send = (to: Node, session: string, turn: string, entries: readonly IContent[]) =>
  post(`${to.url}/sessions/${session}/turns`, { turn, entries });

describe('sessions on servers', () => {
  test('get turns once, are pruned, and are made again from the log', async () => {
    const log = new MemoryLog();
    const one = await node(log);
    await send(one, 's', 't1', [said('go'), ...called('1', 'read_file', 'old text\n'.repeat(50))]);
    const { status, body } = await send(one, 's', 't2', [...called('2', 'write_file', 'written'), said('and now?')]);
    expect(status).toBe(200);
    expect(body.gate).toMatchObject({ density: { kind: 'applied' } });
    expect(texts(body)).toEqual(['go', 'and now?']);
    expect(JSON.stringify(body.entries)).not.toContain('old text');
    expect((await send(one, 's', 't2', [...called('2', 'write_file', 'written'), said('and now?')])).body).toEqual(
      body,
    );
    expect((await send(one, 's', 't2', [said('other')])).status).toBe(409);
    const other = await node(log);
    const again = (await send(other, 's', 'ask', [])).body;
    expect([again.version, again.tokens, texts(again)]).toEqual([body.version, body.tokens, texts(body)]);
    expect(other.actors.counts).toEqual({ loads: 1, conflicts: 0 });
  });

  test('are forwarded to their owner, and taken over from one that is gone', async () => {
    const log = new MemoryLog();
    const [one, owner] = [await node(log), await node(log)];
    one.owner = owner.url;
    await send(one, 's', 't1', [said('first')]);
    expect([one.actors.counts.loads, owner.actors.counts.loads]).toEqual([0, 1]);
    one.owner = 'http://127.0.0.1:1';
    const { body } = await send(one, 's', 't2', [said('second')]);
    expect(texts(body)).toEqual(['first', 'second']);
    expect(one.actors.counts.loads).toBe(1);
  });

  test('have each turn once if two processes work on one at the same time', async () => {
    const log = new MemoryLog();
    const nodes = [await node(log), await node(log)];
    const turns = Array.from({ length: 20 }, (_, index) => `t${index}`);
    await Promise.all(nodes.flatMap((one) => turns.map((turn) => send(one, 's', turn, [said(turn)]))));
    const view = (await send(nodes[0]!, 's', 'ask', [])).body;
    expect(texts(view).toSorted()).toEqual(turns.toSorted());
  });

  test('refuse what is no turn, and whoever has no token', async () => {
    const one = await node(new MemoryLog());
    const url = `${one.url}/sessions/s/turns`;
    expect((await post(url, { turn: 't', entries: [] }, 'wrong')).status).toBe(401);
    for (const [path, body, status] of [
      ['/sessions/s/turns', 'not json', 400],
      ['/sessions/s/turns', { turn: 't' }, 400],
      ['/sessions/s/turns', { turn: '../t', entries: [] }, 400],
      ['/sessions/s/turns', { turn: 't', entries: [{ speaker: 'nobody', blocks: [] }] }, 400],
      ['/sessions/%2e%2e%2f/turns', { turn: 't', entries: [] }, 400],
      ['/sessions', { turn: 't', entries: [] }, 404],
    ] as const)
      expect([path, body, (await post(`${one.url}${path}`, body)).status]).toEqual([path, body, status]);
    expect((await fetch(`${one.url}/health`)).status).toBe(200);
  });

  test('keep only what was used last in memory', async () => {
    const log = new MemoryLog();
    const actors = new SessionActors({ log, model: MODEL, settings: [], keptTokens: 250 });
    running.push(actors);
    for (const [at, session] of ['a', 'b', 'c', 'a'].entries()) {
      await actors.enqueue(session, { turn: `t${at}`, entries: [said('word '.repeat(100))] });
      await actors.run(session);
    }
    // `a` was dropped for `c`, and loaded again.
    expect(actors.counts.loads).toBe(4);
  });
});

describe('owners', () => {
  const nodes = ['http://a', 'http://b', 'http://c', 'http://d'];
  const sessions = Array.from({ length: 2000 }, (_, index) => `session-${index}`);

  test('share sessions evenly, and only those of a node that leaves move', () => {
    const counts = nodes.map((one) => sessions.filter((session) => ownerOf(session, nodes) === one).length);
    for (const count of counts) expect(Math.abs(count - 500)).toBeLessThan(100);
    const left = nodes.slice(1);
    for (const session of sessions) {
      const before = ownerOf(session, nodes);
      if (before !== nodes[0]) expect(ownerOf(session, left)).toBe(before);
    }
    expect(ownerOf('s', [])).toBeUndefined();
  });
});

describe.skipIf(!haveRedis)('sessions on Redis', () => {
  const server = new RedisServer();
  beforeAll(() => server.start());
  afterAll(() => server.remove());

  test('wait for a server that is killed, and lose nothing', async () => {
    const log = new RedisLog(await openRedis(server.url));
    const one = await node(log);
    await send(one, 's', 't1', [said('first')]);
    await server.kill();
    const late = send(one, 's', 't2', [said('second')]);
    await server.start();
    expect(texts((await late).body)).toEqual(['first', 'second']);
    const other = await node(new RedisLog(await openRedis(server.url)));
    expect(texts((await send(other, 's', 'ask', [])).body)).toEqual(['first', 'second']);
  });

  test('do a turn whose process died before it worked', async () => {
    const log = new RedisLog(await openRedis(server.url));
    await log.enqueue('orphan', { id: 't1', payload: JSON.stringify({ entries: [said('alone')] }) });
    await node(log);
    await expect.poll(async () => (await log.load('orphan', 0)).lines.length).toBe(1);
  });
});
