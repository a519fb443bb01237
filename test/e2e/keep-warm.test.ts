import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect, test } from 'vitest';
import { MINUTE_MS } from '../../src/durations.ts';
import { WARM_TRIAL_VARIABLE } from '../../src/proxy/run-variables.ts';
import { providerServer, type ServedRequest } from '../../src/strict-provider/provider-server.ts';
import { StrictProvider } from '../../src/strict-provider/strict-provider.ts';
import { COMMAND } from './command.ts';
import { Computer, jsonLines, type Outcome, outcomeOf } from './density.ts';

/** In place of five minutes: long enough that a busy machine sends a ping in time. */
const LIFETIME_MS = 8_000;
const BUILD_MS = 1.4 * LIFETIME_MS;
const AGENT = path.resolve(import.meta.dirname, '../fixtures/waiting-agent.mjs');

/** Runs the agent in front of a strict provider. */
async function run(computer: Computer, options: readonly string[]): Promise<Outcome & { served: ServedRequest[] }> {
  const served: ServedRequest[] = [];
  const server = providerServer(new StrictProvider({ lifetimeMs: LIFETIME_MS }), {
    now: Date.now,
    script: () => ({ text: 'word '.repeat(3_000), calls: [{ name: 'Bash', input: { command: 'make' } }] }),
    onServed: (one) => served.push(one),
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const bin = path.join(computer.home, 'bin');
  mkdirSync(bin, { recursive: true });
  const agent = computer.write('bin/waiting', `#!/bin/sh\nexec '${process.execPath}' '${AGENT}' "$@"\n`);
  chmodSync(agent, 0o755);
  const parameters = ['wrap', ...options, '--env', 'WAITING_BASE_URL', 'waiting', String(BUILD_MS)];
  // Not by the slow clock of other tests: the time that a build takes is what counts.
  const child = spawn(process.execPath, [COMMAND, ...parameters], {
    cwd: computer.folder,
    env: {
      PATH: `${bin}${path.delimiter}${process.env['PATH']}`,
      HOME: computer.home,
      WAITING_BASE_URL: base,
      [WARM_TRIAL_VARIABLE]: `${base} ${(5 * MINUTE_MS) / LIFETIME_MS}`,
    },
  });
  const outcome = await outcomeOf(child);
  server.closeAllConnections();
  server.close();
  return { ...outcome, served };
}

const bodyOf = ({ request }: ServedRequest): string => JSON.stringify(request.body);

test('a call after a build that takes longer than the lifetime reads its whole prompt, by one ping', async () => {
  const computer = new Computer();
  const [kept, alone] = [await run(computer, ['--keep-warm']), await run(new Computer(), [])];
  expect(kept.code).toBe(0);
  const pings = kept.served.filter(({ isPing }) => isPing);
  const calls = kept.served.filter(({ isPing }) => !isPing);
  expect(pings).toHaveLength(1);
  expect(calls).toHaveLength(5);
  // The agent's own requests are those without keep-warm.
  expect(calls.map(bodyOf)).toEqual(alone.served.map(bodyOf));
  const { stream, ...rest } = calls[3]!.request.body as { stream: boolean };
  expect(stream).toBe(true);
  expect(pings[0]?.request.body).toEqual({ ...rest, max_tokens: 0 });
  const [ping] = pings.map(({ outcome }) => outcome as { tokens: { read: number; written: number; output: number } });
  expect(ping?.tokens).toMatchObject({ written: 0, output: 0 });
  const usage = JSON.parse(kept.out) as Record<string, number>;
  expect(usage['cache_read_input_tokens']).toBe(ping?.tokens.read);
  expect(JSON.parse(alone.out)).toMatchObject({ cache_read_input_tokens: 0 });

  const [{ agents }] = jsonLines((await computer.run(['stats', '--json'])).out) as [{ agents: [{ net: object[] }] }];
  expect(agents[0].net).toContainEqual(
    expect.objectContaining({ cause: 'ping', results: 1, savedTokens: ping?.tokens.read }),
  );
  expect((await computer.run(['stats'])).out).toMatch(/kept warm by pings +1 /);
}, 120_000);
