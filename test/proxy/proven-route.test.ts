import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { WRAPPED_AGENTS } from '../../src/proxy/agents/index.ts';
import { provenRoute } from '../../src/proxy/wrap/proven-route.ts';

const claude = WRAPPED_AGENTS.find(({ command }) => command === 'claude')!;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'density-proof-'));
  // Other tests that run meanwhile leave their folders elsewhere.
  vi.stubEnv('TMPDIR', folder);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

/** `claude` is this script. */
function proven(script: string, limitMs = 240_000) {
  const file = path.join(folder, 'claude');
  writeFileSync(file, `#!${process.execPath}\n${script}`);
  chmodSync(file, 0o755);
  const secret = {
    ANTHROPIC_API_KEY: 'secret',
    HOME: folder,
    PATH: `${folder}${path.delimiter}${process.env['PATH']}`,
  };
  return provenRoute(claude, { environment: secret, limitMs });
}

const SETTINGS = `const { env } = JSON.parse(require('fs').readFileSync(process.argv[3]));`;
const ask = (url: string): string =>
  `fetch(${url}, { method: 'POST', body: '{}' }).then((answer) => console.log(answer.status), (error) => console.log(String(error)));`;

/** A process that ended and that nobody asked about is none. */
function isRunning(pid: number): boolean {
  const file = `/proc/${pid}/stat`;
  return existsSync(file) && !/\) Z /.test(readFileSync(file, 'utf8'));
}

const left = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith('density-route-'));

describe('the route of an agent', () => {
  test('is proved by its request, in an empty home, with an invented key', async () => {
    const seen = path.join(folder, 'seen.json');
    const before = left();
    const outcome = await proven(
      `${SETTINGS} const { HOME, ANTHROPIC_API_KEY } = process.env;
       require('fs').writeFileSync(${JSON.stringify(seen)}, JSON.stringify({ HOME, ANTHROPIC_API_KEY }));
       ${ask("env.ANTHROPIC_BASE_URL + '/v1/messages'")} setInterval(() => {}, 1000);`,
    );
    expect(outcome).toEqual({ isDiverted: true, tookMs: expect.any(Number) });
    const { HOME, ANTHROPIC_API_KEY } = JSON.parse(readFileSync(seen, 'utf8')) as Record<string, string>;
    expect([HOME === folder, ANTHROPIC_API_KEY]).toEqual([false, 'invented']);
    expect(existsSync(HOME!)).toBe(false);
    expect(left()).toEqual(before);
  });

  test('is proved by an agent that first asks whether its key is good', async () => {
    const outcome = await proven(
      `${SETTINGS} fetch(env.ANTHROPIC_BASE_URL + '/api-key').then(({ status }) => {
         if (status === 401) return console.log('not signed in');
         ${ask("env.ANTHROPIC_BASE_URL + '/v1/messages'")}
       });`,
    );
    expect(outcome.isDiverted).toBe(true);
  });

  test.each<[string, string, RegExp]>([
    ['goes to the provider', `${SETTINGS} ${ask("'http://127.0.0.1:9/v1/messages'")}`, /ended with code 0/],
    [
      'only asks for something else',
      `${SETTINGS} ${ask("env.ANTHROPIC_BASE_URL + '/api/hello'")}`,
      /ended with code 0.*401/,
    ],
    [
      'does not know the token',
      `${SETTINGS} ${ask("new URL(env.ANTHROPIC_BASE_URL).origin + '/v1/messages'")}`,
      /ended with/,
    ],
    ['fails', `console.error('no such option'); process.exit(3);`, /code 3 .*: no such option/],
  ])('is not proved by an agent that %s', async (_what, script, why) => {
    expect(await proven(script)).toMatchObject({ isDiverted: false, why: expect.stringMatching(why) });
  });

  test('is looked at although the agent resets what it opened', async () => {
    const script = `const { connect } = require('net');
      let open = 2;
      for (const variable of ['HTTPS_PROXY', 'OWN']) {
        const url = new URL(variable === 'OWN' ? JSON.parse(require('fs').readFileSync(process.argv[3])).env.ANTHROPIC_BASE_URL : process.env[variable]);
        const line = variable === 'OWN' ? 'GET / HTTP/1.1\\r\\nHost: x\\r\\nConnection: Upgrade\\r\\nUpgrade: websocket' : 'CONNECT x:443 HTTP/1.1';
        const socket = connect(url.port, url.hostname, () => socket.write(line + '\\r\\n\\r\\n', () => setTimeout(() => socket.resetAndDestroy(), 20)));
        socket.on('error', () => {}).on('close', () => {
          open--;
          if (open === 0) process.exit(4);
        });
      }`;
    expect(await proven(script)).toMatchObject({ isDiverted: false, why: expect.stringContaining('code 4') });
  });

  test('is waited for no longer than the limit, and what the agent started ends with it', async () => {
    const pid = path.join(folder, 'pid');
    const child = `require('child_process').spawn('sleep', ['600']).pid`;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const proving = proven(
      `require('fs').writeFileSync(${JSON.stringify(pid)}, String(${child})); setInterval(() => {}, 1000);`,
      3_000,
    );
    const started = (): string => (existsSync(pid) ? readFileSync(pid, 'utf8') : '');
    await expect.poll(started).not.toBe('');
    await vi.advanceTimersByTimeAsync(3_000);
    vi.useRealTimers();
    const outcome = await proving;
    expect(outcome).toMatchObject({ isDiverted: false, why: expect.stringContaining('within 3 s') });
    await expect.poll(() => isRunning(Number(readFileSync(pid, 'utf8')))).toBe(false);
  });

  test('is not proved where the agent cannot be started', async () => {
    const outcome = await provenRoute(claude, { environment: { PATH: '/nowhere' } });
    expect(outcome).toMatchObject({ isDiverted: false, why: expect.stringContaining('ENOENT') });
  });
});
