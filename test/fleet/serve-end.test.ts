import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RedisLog } from '../../src/fleet/log/redis-log.ts';
import { openRedis } from '../../src/fleet/redis.ts';
import { Computer, outcomeOf } from '../e2e/density.ts';
import { haveRedis, RedisServer } from './redis-server.ts';

const TOKEN = 'a token of this test';

describe.skipIf(!haveRedis)('a process of density serve', () => {
  const server = new RedisServer();
  const computer = new Computer();
  beforeAll(() => server.start());
  afterAll(() => server.remove());

  async function served(): Promise<{ child: ChildProcess; url: string }> {
    const args = ['serve', '--redis', server.url, '--model', 'gpt-4.1', '--listen', '127.0.0.1:0'];
    const child = computer.start(args, { DENSITY_SERVICE_TOKEN: TOKEN });
    const said = String((await once(child.stderr!, 'data'))[0]);
    return { child, url: /http:\S+\d/.exec(said)?.[0] ?? said };
  }

  test('that is told to end loses no turn', async () => {
    const [leaving, other] = await Promise.all([served(), served()]);
    const turn = async (url: string, id: number): Promise<Response> =>
      fetch(`${url}/sessions/s${id % 5}/turns`, {
        method: 'POST',
        headers: { authorization: `Bearer ${TOKEN}` },
        body: JSON.stringify({
          turn: `t${id}`,
          entries: [{ speaker: 'human', blocks: [{ type: 'text', text: `turn ${id}` }] }],
        }),
      });
    const isOver = { value: false };
    const ended = outcomeOf(leaving.child).then((outcome) => {
      isOver.value = true;
      return outcome;
    });
    let sent = 0;
    let wasUnready = false;
    for (; !isOver.value; sent++) {
      if (sent === 20) leaving.child.kill('SIGTERM');
      // As behind a balancer: a process that does not answer, or says that it is not ready, gets no further turn.
      const ready = await fetch(`${leaving.url}/ready`).catch(() => undefined);
      if (sent > 20 && ready?.status === 503) wasUnready = true;
      const accepted = ready === undefined ? undefined : await turn(leaving.url, sent).catch(() => undefined);
      if (accepted?.status !== 200) expect((await turn(other.url, sent)).status).toBe(200);
    }
    expect(await ended).toMatchObject({ code: 0 });
    expect(wasUnready).toBe(true);
    const log = new RedisLog(await openRedis(server.url));
    const lines = await Promise.all([0, 1, 2, 3, 4].map(async (id) => (await log.load(`s${id}`, 0)).lines));
    const texts = lines.flat().flatMap((line) => /turn \d+/.exec(line) ?? []);
    expect(texts.toSorted()).toEqual(Array.from({ length: sent }, (_, id) => `turn ${id}`).toSorted());
    await log.close();
    other.child.kill('SIGTERM');
    expect(await outcomeOf(other.child)).toMatchObject({ code: 0 });
  });

  test('leaves sessions alone that a newer version writes', async () => {
    const redis = await openRedis(server.url);
    const log = new RedisLog(redis);
    await log.read('s');
    await redis.set('density:sessions:form', 2);
    await expect(log.read('s')).rejects.toThrow('newer version');
    expect(log.isOutdated).toBe(true);
    await redis.set('density:sessions:form', 1);
    await log.read('s');
    expect(log.isOutdated).toBe(false);
    await log.close();
  });
});
