import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { haveRedis, RedisServer } from '../fleet/redis-server.ts';
import { Computer, EDITED, outcomeOf, sessionText } from './density.ts';

const SESSIONS = 3;

/** The output without what a clock measured. */
const timeless = (out: string): string =>
  out
    .replaceAll(/"(gateMs|stallMs)":\{[^}]*\}/g, '')
    .replaceAll(/"(gateMs|stallMs|readMs)":[\d.e-]+/g, '')
    .replaceAll(/ *[\d.]+ (?:ms|µs|s)\b/g, '');

describe.skipIf(!haveRedis)('commands with --redis', () => {
  const server = new RedisServer();
  const computer = new Computer();
  let worker: ChildProcess;

  beforeAll(async () => {
    await server.start();
    for (let index = 0; index < SESSIONS; index++) {
      const text = sessionText(EDITED).replaceAll('harbour', `harbour ${index}`);
      computer.write(`work/sessions/${index}.jsonl`, text);
    }
    computer.write('work/sessions/broken.jsonl', '{"format":"high-density","version":1,"id":"x"}\n{"speaker":');
    computer.write('work/sessions/foreign.json', '{"a": 1}');
    worker = computer.start(['team', 'worker', '--redis', server.url, '--threads', '1']);
    await once(worker.stderr!, 'data');
  });
  afterAll(async () => {
    worker.kill('SIGTERM');
    expect(await outcomeOf(worker)).toMatchObject({ code: 0 });
    await server.remove();
  });

  test.each([
    ['compare', '--json'],
    ['bill', '--json'],
    ['bill', '--compactions'],
    ['compare', '--save', 'mine', '--force', '--json'],
  ])('print the same as without it: %s %s', async (...args) => {
    const [command = '', ...options] = args;
    const here = await computer.run([command, 'sessions', ...options]);
    const elsewhere = await computer.run([command, 'sessions', ...options, '--redis', server.url]);
    expect(elsewhere).toEqual(here);
    const again = await computer.run([command, 'sessions', ...options, '--redis', server.url]);
    expect(again).toEqual(here);
  });

  test.each([['--json'], ['--turns', '--json', '--all'], []])(
    'play the same as without it, but for measured times: replay %s %s %s',
    async (...options) => {
      const paths = ['sessions', 'sessions/2.jsonl', '../absent.jsonl'];
      const here = await computer.run(['replay', ...paths, ...options]);
      const elsewhere = await computer.run(['replay', ...paths, ...options, '--redis', server.url]);
      expect(here.out.split('\n').length).toBeGreaterThan(SESSIONS);
      expect(timeless(elsewhere.out)).toEqual(timeless(here.out));
      expect([elsewhere.code, here.code]).toEqual([1, 1]);
      for (const { err } of [here, elsewhere]) {
        expect(err).toContain('foreign.json: no known format');
        expect(err).toContain('absent.jsonl');
      }
      const again = await computer.run(['replay', ...paths, ...options, '--redis', server.url]);
      expect(again.out).toEqual(elsewhere.out);
    },
  );

  test('ask no model on workers, and need a session', async () => {
    const asking = await computer.run(['replay', 'sessions', '--strategy', 'middle-out', '--redis', server.url]);
    expect([asking.code, asking.err]).toEqual([2, expect.stringContaining('asks no model with --redis')]);
    const nothing = await computer.run(['replay', '--redis', server.url]);
    expect([nothing.code, nothing.err]).toEqual([1, expect.stringContaining('Expected a session on this computer')]);
  });

  test('refuse what is no Redis server', async () => {
    const { code, err } = await computer.run(['compare', 'sessions', '--redis', '127.0.0.1:6379']);
    expect([code, err]).toEqual([2, expect.stringContaining('redis://host:port')]);
    const nobody = await computer.run(['team', 'worker', '--redis', 'redis://127.0.0.1:1']);
    expect([nobody.code, nobody.err]).toEqual([2, expect.stringContaining('cannot be reached')]);
  });
});
