import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { haveRedis, RedisServer } from '../fleet/redis-server.ts';
import { UpstreamServer } from '../proxy/upstream-server.ts';
import { Computer, outcomeOf } from './density.ts';

const TEXT = Array.from({ length: 300 }, (_, at) => `const value${at} = ${at};`).join('\n');
const MARKER = '⟦density: 300 lines as shown above by Read /a, ';

/** A conversation with so many reads of one file. What the same call asks for again is sent whole. */
function body(reads: number): string {
  const messages: object[] = [{ role: 'user', content: 'Look.' }];
  for (let at = 0; at < reads; at++) {
    const id = `t${at}`;
    const input = { file_path: '/a', limit: 500 + at };
    messages.push({ role: 'assistant', content: [{ type: 'tool_use', id, name: 'Read', input }] });
    messages.push({ role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: TEXT }] });
  }
  return JSON.stringify({ model: 'claude-sonnet-4-5', tools: [{ name: 'Read' }], messages });
}

interface Got {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

function send(
  url: string,
  { headers = {}, method = 'POST', text = body(1) }: { headers?: object; method?: string; text?: string } = {},
): Promise<Got> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(url, { method, headers: { ...headers } }, async (answer) => {
      let got = '';
      for await (const chunk of answer.setEncoding('utf8')) got += chunk;
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text: got });
    });
    sent.on('error', reject);
    sent.end(method === 'POST' ? text : undefined);
  });
}

describe.skipIf(!haveRedis)('the proxy of a team', () => {
  const server = new RedisServer();
  const computer = new Computer();
  const upstream = new UpstreamServer();
  const replicas: { readonly child: ChildProcess; readonly url: string }[] = [];
  let mount = '';
  const users: Record<string, { token: string; page: string }> = {};
  const token = async (...args: string[]) => {
    const { code, out, err } = await computer.run(['team', 'token', ...args, '--redis', server.url]);
    expect([code, err]).toEqual([0, '']);
    return out;
  };

  beforeAll(async () => {
    await server.start();
    const base = await upstream.start();
    for (const user of ['alice', 'bob']) users[user] = JSON.parse(await token('add', user, '--json'));
    users['few'] = JSON.parse(await token('add', 'few', '--per-minute', '2', '--json'));
    for (let at = 0; at < 2; at++) {
      const child = computer.start([
        'proxy',
        '--team',
        server.url,
        '--listen',
        '127.0.0.1:0',
        '--upstream',
        base.href,
        '--json',
      ]);
      let text = '';
      while (!text.includes('\n')) text += String((await once(child.stdout!, 'data'))[0]);
      const { port, urls } = JSON.parse(text);
      mount = new URL(urls[0].baseUrl.replace('<token>', 'x')).pathname.slice(2).replace(/\/$/, '');
      replicas.push({ child, url: `http://127.0.0.1:${port}` });
    }
  });
  afterAll(async () => {
    const ended = replicas.map(({ child }) => outcomeOf(child));
    for (const { child } of replicas) child.kill('SIGTERM');
    for (const outcome of await Promise.all(ended)) expect(outcome).toMatchObject({ code: 0 });
    await upstream.stop();
    await server.remove();
  });
  const urlOf = (replica: number, user: string, path = '/v1/messages'): string =>
    `${replicas[replica]!.url}/${users[user]!.token}${mount}${path}`;
  const lastSent = (): string => upstream.seen.at(-1)!.body.toString();

  test('continues a conversation on any replica, and keeps users apart', async () => {
    expect((await send(urlOf(0, 'alice'))).status).toBe(200);
    await send(urlOf(0, 'alice'), { text: body(2) });
    const first = lastSent();
    expect(first).toContain(MARKER);
    await send(urlOf(1, 'alice'), { text: body(2) });
    expect(lastSent()).toBe(first);
    // The same conversation of somebody else is another one: both results are new there, and one repeats the other.
    await send(urlOf(1, 'bob'), { text: body(3) });
    await send(urlOf(0, 'alice'), { text: body(3) });
    expect(lastSent().startsWith(first.slice(0, -3))).toBe(true);
  });

  test('takes the token from a header, and sends it to nobody', async () => {
    const got = await send(`${replicas[0]!.url}${mount}/v1/messages`, {
      headers: { 'X-Density-Token': users['bob']!.token, 'x-api-key': 'own' },
    });
    expect(got.status).toBe(200);
    const seen = upstream.seen.at(-1)!;
    expect([seen.url, seen.headers['x-api-key'], seen.headers['x-density-token']]).toEqual([
      '/v1/messages',
      'own',
      undefined,
    ]);
    expect(JSON.stringify(seen.rawHeaders)).not.toContain(users['bob']!.token);
  });

  test('refuses others in the words of their provider', async () => {
    const before = upstream.seen.length;
    const at = (path: string): Promise<Got> => send(`${replicas[0]!.url}/no-token${mount}${path}`);
    expect(JSON.parse((await at('/v1/messages')).text)).toMatchObject({
      type: 'error',
      error: { type: 'authentication_error' },
    });
    expect(JSON.parse((await at('/v1/responses')).text)).toMatchObject({ error: { code: 'invalid_api_key' } });
    const google = await at('/v1beta/models/gemini-2.5-pro:generateContent');
    expect([google.status, JSON.parse(google.text)]).toMatchObject([
      401,
      { error: { code: 401, status: 'UNAUTHENTICATED' } },
    ]);
    expect((await send(urlOf(0, 'alice'), { headers: { host: 'evil.example' } })).status).toBe(404);
    expect((await send(urlOf(0, 'alice'), { headers: { origin: 'https://evil.example' } })).status).toBe(404);
    // The secret of a page opens nothing else.
    const page = users['alice']!.page;
    expect((await send(`${replicas[0]!.url}/${page}${mount}/v1/messages`)).status).toBe(405);
    expect(upstream.seen).toHaveLength(before);
  });

  test('counts the requests of a user on all replicas', async () => {
    const statuses = [await send(urlOf(0, 'few')), await send(urlOf(1, 'few')), await send(urlOf(0, 'few'))];
    expect(statuses.map(({ status }) => status)).toEqual([200, 200, 429]);
    const [, , limited] = statuses;
    expect(Number(limited!.headers['retry-after'])).toBeGreaterThan(0);
    expect(JSON.parse(limited!.text).error).toMatchObject({
      type: 'rate_limit_error',
      message: expect.stringContaining('2 requests a minute'),
    });
  });

  test('shows each user their own calls from all replicas, and the text that was removed from them', async () => {
    const page = async (user: string, path = ''): Promise<string> =>
      (await send(`${replicas[1]!.url}/${users[user]!.page}/${path}`, { method: 'GET' })).text;
    await expect.poll(() => page('alice')).toContain('in 4 calls');
    const [, hash = ''] = /href="text\/([0-9a-f]+)"/.exec(await page('alice')) ?? [];
    expect(await page('alice')).toContain('It shows the calls of one user.');
    expect(await page('alice')).not.toContain('on this computer');
    expect(await page('alice', `text/${hash}`)).toContain('const value299');
    const environment = { DENSITY_PAGE: `${replicas[0]!.url}/${users['alice']!.page}/` };
    expect(await computer.run(['show', hash], environment)).toMatchObject({ code: 0, out: `${TEXT}\n` });
    expect(await page('few')).not.toContain('Read /a');
    expect(await page('few', `text/${hash}`)).not.toContain('const value299');
  });

  test('says once of a model without a price where to give one', async () => {
    let notes = '';
    replicas[0]!.child.stderr!.on('data', (chunk) => {
      notes += chunk;
    });
    const ask = (model: string) =>
      send(urlOf(0, 'bob'), { text: body(1).replace('claude-sonnet-4-5', model), headers: { 'x-session-id': model } });
    for (const model of ['house-model-9', 'house-model-9', 'house-model-8']) await ask(model);
    const said = 'density: No price is known of house-model-';
    await expect.poll(() => notes).toContain(`${said}8`);
    expect(notes.split(said)).toHaveLength(3);
  });

  test.runIf(process.platform === 'linux')('says with what it gives back more memory, unless it has it', async () => {
    const given = ['proxy', '--team', server.url, '--listen', '127.0.0.1:0', '--json'];
    const saidBy = async (environment: Readonly<Record<string, string>>): Promise<string> => {
      const child = computer.start(given, environment);
      const ended = outcomeOf(child);
      await once(child.stdout!, 'data');
      child.kill('SIGTERM');
      return (await ended).err;
    };
    const name = 'MALLOC_MMAP_THRESHOLD_';
    expect(await saidBy({})).toContain(
      `density: a replica gives back more memory when it is started with ${name}=131072`,
    );
    expect(await saidBy({ [name]: '131072' })).toBe('');
  });

  test('says whether it is there, to a balancer', async () => {
    const answers = await Promise.all(
      ['/health', '/ready'].map((path) => send(replicas[0]!.url + path, { method: 'GET' })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  });

  test('serves while the server is gone, and refuses a revoked token', async () => {
    await server.kill();
    expect((await send(urlOf(0, 'alice'), { text: body(3) })).status).toBe(200);
    expect(lastSent()).toContain(MARKER);
    await server.start();
    expect(await token('revoke', 'alice')).toContain('Revoked');
    expect(await token('list')).not.toContain('alice');
    await expect.poll(async () => (await send(urlOf(1, 'alice'))).status).toBe(401);
    expect((await send(urlOf(1, 'bob'))).status).toBe(200);
  });

  test('keeps no token: neither at rest nor in what it prints', async () => {
    const { redis } = await import('../../src/fleet/redis.ts').then(async ({ openRedis }) => ({
      redis: await openRedis(server.url),
    }));
    const kept = await redis.hgetall('density:team:tokens');
    redis.disconnect();
    for (const { token: secret, page } of Object.values(users)) {
      expect(JSON.stringify(kept)).not.toContain(secret);
      expect(JSON.stringify(kept)).not.toContain(page);
    }
  });

  test('is reachable from elsewhere only with a name, and only for a team', async () => {
    const open = await computer.run(['proxy', '--team', server.url, '--listen', '0.0.0.0:0']);
    expect([open.code, open.err]).toEqual([2, expect.stringContaining('--allow-host')]);
    const alone = await computer.run(['proxy', '--listen', '0.0.0.0:0']);
    expect([alone.code, alone.err]).toEqual([2, expect.stringContaining('--team')]);
  });
});
