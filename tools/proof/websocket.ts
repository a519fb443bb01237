/**
 * Real Codex over a WebSocket through `density wrap`, against a provider that enforces the rules of its API: 40 calls with an
 * interrupted stream, a connection that is closed, and a provider that forgets the response that is continued. All requests must be
 * accepted, the work done, and the provider must have exactly the history that was decided. Then two at once, and with a compaction. The same
 * over HTTP says what is billed there.
 *
 * `npm run proof -- websocket <folder of Codex> [another one …]`. Run it where nothing leads out of the machine.
 */

import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import type { ChangeRequest } from '../../src/live/exchange/contract.ts';
import { liveChanges } from '../../src/live/exchange/live-changes.ts';
import { codex } from '../../src/proxy/agents/codex.ts';
import type { ProxiedCall } from '../../src/proxy/contract.ts';
import { runInTerminal } from '../../src/proxy/wrap/in-terminal.ts';
import { runWrapped } from '../../src/proxy/wrap/wrapped-run.ts';
import type { Accepted } from '../../src/strict-provider/contract.ts';
import { providerServer } from '../../src/strict-provider/provider-server.ts';
import { StrictProvider } from '../../src/strict-provider/strict-provider.ts';
import { type Fault, startRelay } from './websocket/relay.ts';
import { FILES, marksAfter, scriptedCalls } from './websocket/scripted-calls.ts';

const COMMAND = path.resolve(import.meta.dirname, '../../../dist/density.js');
const CALLS = 40;
const LINES = 700;
const CALL_MS = 20_000;
/** Before the last third comes a pause longer than any cache. */
const PAUSE_MS = 3 * 60 * 60_000;
const MODEL = 'gpt-5.4';

interface Setting {
  readonly isPruned: boolean;
  readonly isHttp?: boolean;
  readonly isWrapped?: boolean;
  readonly faults?: Readonly<Record<number, Fault>>;
  readonly parameters?: readonly string[];
}

const FAULTS = { 7: 'cut', 15: 'forgotten', 22: 'closed', 30: 'cut', 34: 'forgotten' } as const;

async function run(bin: string, { isPruned, isHttp = false, isWrapped = true, faults = {}, parameters = [] }: Setting) {
  const home = mkdtempSync(path.join(os.tmpdir(), 'websocket-'));
  const work = path.join(home, 'work');
  mkdirSync(path.join(work, '.git'), { recursive: true });
  for (const file of FILES) {
    const lines = Array.from({ length: LINES }, (_, at) => `${file} value ${at} is an ordinary line of this file`);
    writeFileSync(path.join(work, file), ['mark zero', ...lines, ''].join('\n'));
  }
  let clockMs = Date.now();
  const answered: Accepted[] = [];
  const refused: string[] = [];
  /** What the provider read, by the request that was decided. */
  const inputs: string[] = [];
  const server = providerServer(new StrictProvider(), {
    now: () => clockMs,
    script: scriptedCalls(CALLS),
    onRequest: ({ body, isCount }, outcome) => {
      inputs.push(JSON.stringify((body as { input: unknown }).input));
      if (outcome.status !== 200) refused.push(outcome.message);
      else if (!isCount) answered.push(outcome);
      if (isCount) return;
      clockMs += answered.length === Math.floor((CALLS * 2) / 3) ? PAUSE_MS : CALL_MS;
    },
  });
  if (isHttp) server.removeAllListeners('upgrade');
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const relay = await startRelay((server.address() as AddressInfo).port, faults);
  const decided: string[] = [];
  const live = liveChanges({
    workspaceRoot: work,
    agent: 'codex',
    now: () => clockMs,
    archive: async () => {},
    isOff: !isPruned,
  });
  const change: ChangeRequest = async (request) => {
    const changed = await live(request);
    decided.push(JSON.stringify((JSON.parse(Buffer.from(changed.body).toString()) as { input: unknown }).input));
    return changed;
  };
  const calls: ProxiedCall[] = [];
  const troubles: string[] = [];
  const start = {
    parameters: [
      ...['exec', '-c', `openai_base_url="http://127.0.0.1:${relay.port}/v1"`, '-m', MODEL, '--skip-git-repo-check'],
      ...['--dangerously-bypass-approvals-and-sandbox', ...parameters, 'Change the marks of the files.'],
    ],
    environment: { PATH: `${bin}:${process.env['PATH']}`, HOME: home, TERM: 'dumb', CODEX_API_KEY: 'k' },
    folder: work,
    home,
  };
  process.chdir(work);
  const startedAt = performance.now();
  const options = {
    commandFile: COMMAND,
    change,
    onCall: (one: ProxiedCall) => calls.push(one),
    onTrouble: (what: string) => troubles.push(what),
  };
  const exitCode = isWrapped
    ? await runWrapped(codex, start, options)
    : await runInTerminal('codex', start.parameters, { env: start.environment });
  const tookMs = performance.now() - startedAt;
  process.chdir(import.meta.dirname);
  relay.close();
  server.close();
  server.closeAllConnections();
  const marks = FILES.map((file) => readFileSync(path.join(work, file), 'utf8').split('\n')[0]);
  rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  const sum = (pick: (one: Accepted) => number): number => answered.reduce((total, one) => total + pick(one), 0);
  const seen = new Set(inputs);
  return {
    exitCode,
    refused,
    troubles,
    isDone: JSON.stringify(marks) === JSON.stringify(marksAfter(CALLS)),
    answered: answered.length,
    promptTokens: sum(({ tokens }) => tokens.uncached + tokens.read + tokens.written + tokens.writtenForAnHour),
    dollars: sum(({ dollars = 0 }) => dollars),
    shortened: calls.reduce((total, { report }) => total + (report?.changed.length ?? 0), 0),
    epochs: calls.filter(({ report }) => report?.isEpoch).length,
    /** Decided histories that the provider did not read; those that a fault met are lost on purpose. */
    lost: decided.filter((one) => !seen.has(one)).length,
    ...relay.opened,
    sentBytes: relay.frames.reduce((total, frame) => total + frame.length, 0),
    tookMs,
  };
}

type Run = Awaited<ReturnType<typeof run>>;

const wordsOf = (one: Run): string =>
  `${one.answered} answers, ${one.sockets} sockets, ${one.requests} requests over HTTP, ${one.promptTokens} tokens, $${one.dollars.toFixed(4)}, ${one.shortened} results shortened, ${one.epochs} epochs, ${Math.round(one.sentBytes / 1024)} kB of frames, ${one.isDone ? 'done' : 'NOT DONE'}`;

export async function prove(folders: readonly string[]): Promise<boolean> {
  let failures = 0;
  const check = (name: string, one: Run, isRight: boolean): void => {
    console.log(`  ${name}: ${wordsOf(one)}`);
    for (const message of [...one.refused, ...one.troubles]) console.log(`    ${message}`);
    if (one.exitCode === 0 && one.isDone && one.refused.length === 0 && isRight) return;
    failures++;
    console.log(`    FAILED: exit code ${one.exitCode}, ${one.lost} histories lost`);
  };
  for (const folder of folders) {
    const bin = path.resolve(folder, 'node_modules/.bin');
    console.log(folder);
    const untouched = await run(bin, { isPruned: false });
    check('untouched', untouched, untouched.requests === 0 && untouched.lost === 0);
    const pruned = await run(bin, { isPruned: true });
    check('pruned', pruned, pruned.requests === 0 && pruned.lost === 0 && pruned.shortened > 0);
    const faulty = await run(bin, { isPruned: true, faults: FAULTS });
    check('pruned, with faults', faulty, faulty.shortened > 0);
    const http = await run(bin, { isPruned: false, isHttp: true });
    check('untouched, HTTP', http, http.sockets === 0);
    const prunedHttp = await run(bin, { isPruned: true, isHttp: true });
    check('pruned, HTTP', prunedHttp, prunedHttp.sockets === 0);
  }
  console.log(`${failures} failures`);
  return failures === 0;
}
