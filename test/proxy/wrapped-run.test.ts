import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { liveChanges } from '../../src/live/exchange/live-changes.ts';
import type { WrappedAgent } from '../../src/proxy/agents/agent.ts';
import { otherAgent } from '../../src/proxy/agents/other-agent.ts';
import { runWrapped } from '../../src/proxy/wrap/wrapped-run.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'density-run-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** What an agent finds in `NO_PROXY` and `no_proxy`. */
async function noProxyOf(agent: WrappedAgent, own: Readonly<Record<string, string>>): Promise<string[]> {
  const command = path.join(home, 'listing');
  writeFileSync(command, '#!/bin/sh\necho "$NO_PROXY" > "$OUT"\necho "$no_proxy" >> "$OUT"\n');
  chmodSync(command, 0o755);
  const out = path.join(home, 'out');
  const environment = { PATH: `${home}:/bin:/usr/bin`, OUT: out, LISTING_URL: 'http://corp.example', ...own };
  const start = { parameters: [], environment, folder: home, home };
  await runWrapped(agent, start, { commandFile: '/dev/null', change: liveChanges({ isOff: true }), onCall: () => {} });
  return readFileSync(out, 'utf8').trimEnd().split('\n');
}

const listing = otherAgent('listing', 'LISTING_URL');
const direct: WrappedAgent = {
  ...listing,
  route: async (start) => ({ ...(await listing.route(start)), isDirect: true }),
};

test.skipIf(process.platform === 'win32')('sends local requests past a proxy, beside what NO_PROXY names', async () => {
  expect(await noProxyOf(listing, {})).toEqual(Array(2).fill('127.0.0.1,localhost'));
  expect(await noProxyOf(listing, { no_proxy: 'corp.example' })).toEqual(
    Array(2).fill('corp.example,127.0.0.1,localhost'),
  );
  expect(await noProxyOf(direct, { NO_PROXY: 'corp.example' })).toEqual(['corp.example']);
});
