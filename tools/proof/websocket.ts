/**
 * Real Codex over a WebSocket through `density wrap`, against a provider that enforces the rules of its API: 40 calls with an
 * interrupted stream, a connection that is closed, and a provider that forgets the response that is continued. All requests must be
 * accepted, the work done, and the provider must have exactly the history that was decided. Then two at once, and with compactions. The same
 * over HTTP says what is billed there, and all of it in code mode too, in which each call is a script. Then faults in frames of every kind.
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
import { startProxy } from '../../src/proxy/proxy.ts';
import { runInTerminal } from '../../src/proxy/wrap/in-terminal.ts';
import { runWrapped } from '../../src/proxy/wrap/wrapped-run.ts';
import type { Accepted } from '../../src/strict-provider/contract.ts';
import { providerServer } from '../../src/strict-provider/provider-server.ts';
import { StrictProvider } from '../../src/strict-provider/strict-provider.ts';
import { injectFrameFaults } from './websocket/frame-faults.ts';
import { type Fault, startRelay } from './websocket/relay.ts';
import { FILES, marksAfter, scriptedCalls } from './websocket/scripted-calls.ts';

const COMMAND = path.resolve(import.meta.dirname, '../../../dist/density.js');
const CALLS = 40;
const LINES = 700;
const CALL_MS = 20_000;
/** Before the last third comes a pause longer than any cache. */
const PAUSE_MS = 3 * 60 * 60_000;
/** With functions, and in code mode. */
const MODELS = ['gpt-5.4', 'gpt-5.6-sol'] as const;

interface Setting {
  readonly model?: (typeof MODELS)[number];
  readonly isPruned: boolean;
  readonly isHttp?: boolean;
  /** True: a relay stands before a proxy, as `density wrap` starts it, too. */
  readonly isSpied?: boolean;
  readonly faults?: Readonly<Record<number, Fault>>;
  readonly parameters?: readonly string[];
  /** How many work at once. */
  readonly agents?: number;
}

const FAULTS = { 7: 'cut', 15: 'forgotten', 22: 'closed', 30: 'cut', 34: 'forgotten' } as const;
/** Reached in every session. */
const COMPACTED = ['-c', 'model_auto_compact_token_limit=20000'];

function makeWork(home: string): string {
  const work = path.join(home, 'work');
  mkdirSync(path.join(work, '.git'), { recursive: true });
  for (const file of FILES) {
    const lines = Array.from({ length: LINES }, (_, at) => `${file} value ${at} is an ordinary line of this file`);
    writeFileSync(path.join(work, file), ['mark zero', ...lines, ''].join('\n'));
  }
  return work;
}

const inputOf = (body: unknown): string => JSON.stringify((body as { readonly input: unknown }).input);

async function run(
  bin: string,
  { model = MODELS[0], isPruned, isHttp = false, isSpied = false, faults = {}, parameters = [], agents = 1 }: Setting,
) {
  let clockMs = Date.now();
  const answered: Accepted[] = [];
  const refused: string[] = [];
  /** What the provider read. */
  const read = new Set<string>();
  let compactions = 0;
  const server = providerServer(new StrictProvider(), {
    now: () => clockMs,
    script: scriptedCalls(CALLS),
    onRequest: ({ body, isCount = false }, outcome) => {
      const input = inputOf(body);
      read.add(input);
      if (input.endsWith('{"type":"compaction_trigger"}]')) compactions++;
      if (outcome.status !== 200) refused.push(outcome.message);
      if (isCount || outcome.status !== 200) return;
      answered.push(outcome);
      clockMs += answered.length === Math.floor((CALLS * 2) / 3) ? PAUSE_MS : CALL_MS;
    },
  });
  if (isHttp) server.removeAllListeners('upgrade');
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const relay = await startRelay((server.address() as AddressInfo).port, faults);
  const decided: string[] = [];
  const facts = { agent: 'codex', now: () => clockMs, archive: async () => {}, isOff: !isPruned };
  const calls: ProxiedCall[] = [];
  const troubles: string[] = [];
  /** Frames as the agent wrote them. */
  const asWritten: Buffer[] = [];
  const work = async () => {
    const home = mkdtempSync(path.join(os.tmpdir(), 'websocket-'));
    const folder = makeWork(home);
    const live = liveChanges({ ...facts, workspaceRoot: folder });
    const change: ChangeRequest = async (request) => {
      const changed = await live(request);
      decided.push(inputOf(JSON.parse(Buffer.from(changed.body).toString())));
      return changed;
    };
    const startAt = (baseUrl: string) => ({
      parameters: [
        'exec',
        '-c',
        `openai_base_url="${baseUrl}"`,
        '-m',
        model,
        '--skip-git-repo-check',
        '-C',
        folder,
        '--dangerously-bypass-approvals-and-sandbox',
        ...parameters,
        'Change the marks of the files.',
      ],
      environment: { PATH: `${bin}:${process.env['PATH']}`, HOME: home, TERM: 'dumb', CODEX_API_KEY: 'k' },
      folder,
      home,
    });
    const onCall = (one: ProxiedCall): void => void calls.push(one);
    const onTrouble = (what: string): void => void troubles.push(what);
    const options = { change, onCall, onTrouble };
    const upstream = `http://127.0.0.1:${relay.port}/v1`;
    let exitCode: number;
    if (isSpied) {
      const proxy = await startProxy({ mounts: [{ path: '/v1', upstream: new URL(upstream) }], ...options });
      const before = await startRelay(proxy.port);
      const start = startAt(`http://127.0.0.1:${before.port}${new URL(proxy.url).pathname}/v1`);
      exitCode = await runInTerminal('codex', start.parameters, { env: start.environment });
      await proxy.close();
      before.close();
      asWritten.push(...before.frames);
    } else exitCode = await runWrapped(codex, startAt(upstream), { commandFile: COMMAND, ...options });
    const marks = FILES.map((file) => readFileSync(path.join(folder, file), 'utf8').split('\n')[0]);
    rmSync(home, { recursive: true, force: true, maxRetries: 3 });
    return exitCode === 0 && JSON.stringify(marks) === JSON.stringify(marksAfter(CALLS));
  };
  const startedAt = performance.now();
  const done = await Promise.all(Array.from({ length: agents }, work));
  const tookMs = performance.now() - startedAt;
  relay.close();
  server.close();
  server.closeAllConnections();
  const sum = (pick: (one: Accepted) => number): number => answered.reduce((total, one) => total + pick(one), 0);
  return {
    refused,
    troubles,
    compactions,
    isDone: done.every(Boolean),
    answered: answered.length,
    promptTokens: sum(({ tokens }) => tokens.uncached + tokens.read + tokens.written + tokens.writtenForAnHour),
    dollars: sum(({ dollars = 0 }) => dollars),
    shortened: calls.reduce((total, { report }) => total + (report?.changed.length ?? 0), 0),
    epochs: calls.filter(({ report }) => report?.isEpoch).length,
    /** Decided histories that the provider did not read: a fault met them, or the end of a connection. */
    lost: decided.filter((one) => !read.has(one)).length,
    ...relay.opened,
    otherFrames: asWritten.filter((frame, at) => !relay.frames[at]?.equals(frame)).length,
    writtenFrames: asWritten.length,
    sentBytes: relay.frames.reduce((total, frame) => total + frame.length, 0),
    tookMs,
  };
}

type Run = Awaited<ReturnType<typeof run>>;

const wordsOf = (one: Run): string =>
  [
    `${one.answered} answers`,
    `${one.sockets} sockets`,
    `${one.requests} requests over HTTP`,
    `${one.promptTokens} tokens`,
    `$${one.dollars.toFixed(4)}`,
    `${one.shortened} results shortened`,
    `${one.epochs} epochs`,
    `${one.compactions} compactions`,
    `${Math.round(one.sentBytes / 1024)} kB of frames`,
    `${(one.tookMs / 1000).toFixed(1)} s`,
    one.isDone ? 'done' : 'NOT DONE',
  ].join(', ');

/** A run in which nothing is changed, and one that is pruned. */
type Pair = readonly [whole: Run, pruned: Run];

const nameOf = (isPruned: boolean): string => (isPruned ? 'pruned' : 'untouched');

async function pairOf(tried: (isPruned: boolean) => Promise<Run>): Promise<Pair> {
  return [await tried(false), await tried(true)];
}

const savedRatio = ([whole, pruned]: Pair): number => 1 - pruned.dollars / whole.dollars;

/** What both ways save may differ by so much of the bill. */
const MARGIN = 0.005;
const CONNECTIONS = 1_000;
const MEGABYTE = 1024 * 1024;
/** Far less than what is sent. */
const MAX_GROWN_BYTES = 512 * MEGABYTE;

export async function prove(folders: readonly string[]): Promise<boolean> {
  let failures = 0;
  const fail = (what: string): void => {
    failures++;
    console.log(`    FAILED: ${what}`);
  };
  for (const folder of folders) {
    const bin = path.resolve(folder, 'node_modules/.bin');
    console.log(folder);
    const tried = async (name: string, setting: Setting): Promise<Run> => {
      const one = await run(bin, setting);
      console.log(`  ${name}: ${wordsOf(one)}`);
      for (const message of [...one.refused, ...one.troubles]) fail(message);
      if (!one.isDone) fail('the work is not done');
      if (setting.isPruned && one.shortened === 0) fail('nothing was shortened');
      if (setting.isHttp ? one.sockets > 0 : one.requests > 0) fail('the other way was taken');
      // Each connection after the first one of an agent follows a request that was lost.
      const expected = Math.max(one.sockets - (setting.agents ?? 1), 0);
      if (!setting.isHttp && one.lost > expected)
        fail(`${one.lost} decided histories did not arrive, ${expected} expected`);
      return one;
    };
    const whole = await tried('untouched', { isPruned: false });
    const spied = await tried('untouched, byte by byte', { isPruned: false, isSpied: true });
    console.log(`    ${spied.writtenFrames} frames written, ${spied.otherFrames} arrived as others`);
    if (spied.writtenFrames === 0 || spied.otherFrames > 0) fail('frames differ');
    const pruned = await tried('pruned', { isPruned: true });
    await tried('pruned, with faults', { isPruned: true, faults: FAULTS });
    await tried('pruned, two at once', { isPruned: true, agents: 2 });
    const compacted = await tried('untouched, with compactions', { isPruned: false, parameters: COMPACTED });
    if (compacted.compactions === 0) fail('nothing was compacted');
    const both = await tried('pruned, with compactions', { isPruned: true, parameters: COMPACTED });
    if (both.compactions === 0) fail('nothing was compacted');
    for (const model of MODELS) {
      const isFirst = model === MODELS[0];
      const socket = isFirst
        ? ([whole, pruned] as const)
        : await pairOf((isPruned) => tried(`${nameOf(isPruned)}, ${model}`, { model, isPruned }));
      const http = await pairOf((isPruned) =>
        tried(`${nameOf(isPruned)}, ${model}, HTTP`, { model, isPruned, isHttp: true }),
      );
      const saved = [savedRatio(socket), savedRatio(http)] as const;
      console.log(
        `  ${model}: saved of the bill: ${saved.map((ratio) => `${(100 * ratio).toFixed(1)}%`).join(' by WebSocket, ')} by HTTP`,
      );
      if (Math.abs(saved[0] - saved[1]) > MARGIN) fail('the bills differ');
    }
  }
  const before = process.memoryUsage().rss;
  const { frames, wrong } = await injectFrameFaults(CONNECTIONS, 1);
  const grownBytes = process.memoryUsage().rss - before;
  console.log(`Faults in ${CONNECTIONS} connections, with ${frames} frames of up to 3 MB: ${wrong.length} wrong`);
  console.log(`  with ${Math.round(grownBytes / MEGABYTE)} MB more in memory`);
  for (const what of wrong) fail(what);
  if (grownBytes > MAX_GROWN_BYTES) fail('memory is not bounded');
  console.log(`${failures} failures`);
  return failures === 0;
}
