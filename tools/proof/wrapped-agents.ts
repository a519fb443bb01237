/**
 * Real agents through `density wrap`, against a provider that enforces the rules of its API and bills by them, on a
 * clock that jumps over the lifetime of the cache: each with its requests pruned, and untouched. Every request must be
 * accepted, the file edited, no thinking lost, and the bill not higher. Each request that is sent must be the agent's with
 * the texts of the frozen decisions in it, `density stats` must say what the provider counted and billed, and the home
 * folder must be left as by the agent alone but for ids and times. The agent alone runs twice, and again while anything is
 * different: files that differ between these runs say nothing, and are printed.
 *
 * `npm run proof -- wrapped-agents <folder of the agents> [agent …]`. Run it where nothing leads out of the machine.
 */

import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { ChangeRequest } from '../../src/live/exchange/contract.ts';
import { inShadow, liveChanges } from '../../src/live/exchange/live-changes.ts';
import { fileStore } from '../../src/live/file-store.ts';
import { WRAPPED_AGENTS } from '../../src/proxy/agents/index.ts';
import { CallLog, loggedCall } from '../../src/proxy/call-log.ts';
import type { ProxiedCall } from '../../src/proxy/contract.ts';
import { runInTerminal } from '../../src/proxy/wrap/in-terminal.ts';
import { runWrapped } from '../../src/proxy/wrap/wrapped-run.ts';
import type { Accepted, Refused } from '../../src/strict-provider/contract.ts';
import { providerServer } from '../../src/strict-provider/provider-server.ts';
import { StrictProvider } from '../../src/strict-provider/strict-provider.ts';
import { AGENTS, type Agent, makeHome } from './agents.ts';
import { type HomeFolder, homeChanges, homeFolder } from './wrapped-agents/home-folder.ts';
import { STEPS, says } from './wrapped-agents/scripted-steps.ts';
import { frozenTexts, type SentRequest, wrongRequests } from './wrapped-agents/sent-requests.ts';

const COMMAND = path.resolve(import.meta.dirname, '../../../dist/density.js');
/** Between two calls; before the last third of them comes a pause longer than any cache. */
const CALL_MS = 20_000;
const PAUSE_MS = 3 * 60 * 60_000;
const LINES = 700;
/** Packages that an agent gets for itself would be in its home, or not yet. */
const NO_PACKAGES = { npm_config_offline: 'true' };
/** Always the same, because agents write it into their files. */
const PORT = 7_313;

interface Run {
  readonly statuses: readonly number[];
  readonly refusals: readonly string[];
  readonly droppedThinking: number;
  readonly promptTokens: number;
  readonly dollars: number;
  readonly shortened: number;
  readonly savedTokens: number;
  readonly isEdited: boolean;
  readonly exitCode: number;
  /** What was sent that is not the agent's request with frozen texts in it. */
  readonly wrongBytes: readonly string[];
  /** What `density stats` said of the run; absent for an agent that was not wrapped. */
  readonly stats?: Readonly<Record<string, unknown>> | undefined;
  readonly home: HomeFolder;
}

type Mode = 'alone' | 'untouched' | 'pruned';

async function runAgent(agent: Agent, bin: string, mode: Mode): Promise<Run> {
  // Always the same, because agents write it into their files.
  const home = path.join(os.tmpdir(), `wrapped-${agent.program}`);
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home);
  const work = path.join(home, 'work');
  const data = mkdtempSync(path.join(os.tmpdir(), 'wrapped-data-'));
  let clockMs = Date.now();
  let calls = 0;
  const outcomes: (Accepted | Refused)[] = [];
  /** Without those that only count. */
  const answered: Accepted[] = [];
  const server = providerServer(new StrictProvider(), {
    now: () => clockMs,
    script: (request) => says(request, work),
    onRequest: ({ isCount }, outcome) => {
      outcomes.push(outcome);
      if (isCount) return;
      if (outcome.status === 200) answered.push(outcome);
      calls++;
      clockMs += calls === Math.floor((STEPS.length * 2) / 3) ? PAUSE_MS : CALL_MS;
    },
  });
  const received: Buffer[] = [];
  server.on('request', (incoming: IncomingMessage) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => received.push(Buffer.concat(chunks)));
  });
  server.listen(PORT, '127.0.0.1');
  await once(server, 'listening');
  makeHome(home, agent, PORT);
  for (const number of [0, 1, 2]) {
    const lines = Array.from({ length: LINES }, (_, at) => `value ${number}-${at} is an ordinary line of this file`);
    writeFileSync(path.join(work, `part${number}.txt`), ['mark zero', ...lines, ''].join('\n'));
  }
  mkdirSync(path.join(work, '.git'));
  const proxied: ProxiedCall[] = [];
  const known = WRAPPED_AGENTS.find(({ command }) => command === agent.program)!;
  const parameters = agent.start(PORT, 'Change the marks of the files.');
  const environment = {
    ...NO_PACKAGES,
    ...agent.environment(PORT),
    PATH: `${bin}:${process.env['PATH']}`,
    HOME: home,
    TERM: 'dumb',
  };
  const conversations = path.join(data, 'conversations');
  const facts = { workspaceRoot: work, agent: known.agent, now: () => clockMs, archive: async () => {} };
  const decide = liveChanges({ ...facts, store: fileStore(conversations) });
  const live = mode === 'untouched' ? inShadow(decide, liveChanges({ ...facts, isOff: true })) : decide;
  const sent: SentRequest[] = [];
  /** Agents of this proof wait for each answer. */
  let sentAt = clockMs;
  const change: ChangeRequest = async (request) => {
    sentAt = clockMs;
    const changed = await live(request);
    const bodies = { original: Buffer.from(request.body), sent: Buffer.from(changed.body) };
    sent.push({ ...bodies, report: changed.report, frozen: frozenTexts(conversations) });
    return changed;
  };
  const log = new CallLog(path.join(data, 'high-density/live'));
  const onCall = (call: ProxiedCall): void => {
    proxied.push(call);
    void log.append(loggedCall(call, { at: sentAt, agent: known.agent, isShadow: mode === 'untouched' }));
  };
  const previous = process.cwd();
  process.chdir(work);
  const start = { parameters, environment, folder: work, home };
  const exitCode =
    mode === 'alone'
      ? await runInTerminal(agent.program, parameters, { env: environment })
      : await runWrapped(known, start, { commandFile: COMMAND, change, onCall });
  process.chdir(previous);
  await log.close();
  server.close();
  server.closeAllConnections();
  const edited = [0, 1, 2].map((number) => readFileSync(path.join(work, `part${number}.txt`), 'utf8'));
  const wrongBytes = mode === 'alone' ? [] : wrongRequests(sent, received);
  const stats = mode === 'alone' ? undefined : await statsOf(data);
  const folder = homeFolder(home);
  for (const one of [home, data]) rmSync(one, { recursive: true, force: true });
  const sum = (pick: (outcome: Accepted) => number): number => answered.reduce((total, one) => total + pick(one), 0);
  return {
    statuses: outcomes.map(({ status }) => status),
    refusals: outcomes.flatMap((outcome) => (outcome.status === 200 ? [] : [outcome.message])),
    droppedThinking: sum(({ dropped }) => dropped.length),
    promptTokens: sum(({ tokens }) => tokens.uncached + tokens.read + tokens.written + tokens.writtenForAnHour),
    dollars: sum(({ dollars = 0 }) => dollars),
    shortened: proxied.reduce((total, { report }) => total + (report?.changed.length ?? 0), 0),
    savedTokens: proxied.reduce((total, { report }) => total + (report?.savedTokens ?? 0), 0),
    isEdited: edited.every((text) => text.startsWith('mark two\n')),
    exitCode,
    wrongBytes,
    stats,
    home: folder,
  };
}

/** What `density stats` says of the calls that were logged in this data folder, all agents together. */
async function statsOf(data: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  const env = { PATH: process.env['PATH'], HOME: data, XDG_DATA_HOME: data };
  const { stdout } = await promisify(execFile)(process.execPath, [COMMAND, 'stats', '--json'], { env });
  const { agents } = JSON.parse(stdout) as { agents: Readonly<Record<string, unknown>>[] };
  return agents[0];
}

const wordsOf = ({ statuses, promptTokens, dollars, shortened, savedTokens, droppedThinking, isEdited }: Run): string =>
  `${statuses.length} requests, ${promptTokens} tokens, $${dollars.toFixed(4)}, ${shortened} results shortened (${savedTokens} tokens left out), ${droppedThinking} thinking lost, ${isEdited ? 'edited' : 'NOT EDITED'}`;

/** Claude Code also with a model whose thinking is bound. */
const VARIANTS: readonly { name: string; agent: Agent }[] = AGENTS.flatMap((agent) => {
  if (agent.program !== 'claude') return [{ name: agent.name, agent }];
  return ['claude-sonnet-4-5', 'claude-opus-5-5'].map((model) => ({
    name: `${agent.name} (${model})`,
    agent: { ...agent, start: (port: number, prompt: string) => ['--model', model, ...agent.start(port, prompt)] },
  }));
});

/** What the page shows of a run: the same numbers as `density stats`. */
const shown = ({ stats }: Run, name: 'promptTokens' | 'savedTokens' | 'dollars' | 'netDollars'): number =>
  Number(stats?.[name]);

/**
 * Of what was billed. Gemini CLI shortens its own history in one of its calls: what the original would have lost of its
 * cache there is not known.
 */
const [TOKENS_MARGIN, DOLLARS_MARGIN] = [0.06, 0.1];

/** True within this part of the expected value, or within `least` of it. */
const isNear = (value: number, expected: number, part: number, least: number): boolean =>
  Math.abs(value - expected) <= Math.max(part * Math.abs(expected), least);

/** What `density stats` says otherwise than the provider counted and billed, in words. */
function wrongSent(run: Run): string[] {
  const { promptTokens, dollars } = run;
  const isRight = shown(run, 'promptTokens') === promptTokens && isNear(shown(run, 'dollars'), dollars, 0.001, 1e-6);
  return isRight
    ? []
    : [`stats: ${shown(run, 'promptTokens')} tokens, $${shown(run, 'dollars')}; billed ${promptTokens}, $${dollars}`];
}

/** What is shown as saved, pruned or only decided, otherwise than two runs were billed, in words. */
function wrongSaving(run: Run, saved: { readonly tokens: number; readonly dollars: number }): string[] {
  const [tokens, dollars] = [shown(run, 'savedTokens'), shown(run, 'netDollars')];
  const isRight =
    isNear(tokens, saved.tokens, TOKENS_MARGIN, 0) && isNear(dollars, saved.dollars, DOLLARS_MARGIN, 0.001);
  return isRight
    ? []
    : [`stats: saved ${tokens} tokens, $${dollars}; billed ${saved.tokens} tokens, $${saved.dollars}`];
}

const savingOf = (run: Run): string => `${shown(run, 'savedTokens')} tokens, $${shown(run, 'netDollars').toFixed(4)}`;

export async function prove([folder = '', ...names]: readonly string[]): Promise<boolean> {
  const bin = path.resolve(folder, 'node_modules/.bin');
  let failures = 0;
  for (const { name, agent } of VARIANTS) {
    if (names.length > 0 && !names.includes(agent.program)) continue;
    const [whole, pruned] = [await runAgent(agent, bin, 'untouched'), await runAgent(agent, bin, 'pruned')];
    console.log(`${name}\n  untouched: ${wordsOf(whole)}\n  pruned:    ${wordsOf(pruned)}`);
    const saved = { tokens: whole.promptTokens - pruned.promptTokens, dollars: whole.dollars - pruned.dollars };
    console.log(
      `  left out: billed ${saved.tokens} tokens, $${saved.dollars.toFixed(4)}; shown ${savingOf(pruned)}, and by the untouched run ${savingOf(whole)}`,
    );
    const { left, noise, files } = await homeChanges({ whole: whole.home, pruned: pruned.home }, () =>
      runAgent(agent, bin, 'alone').then(({ home }) => home),
    );
    console.log(`  home folder: ${files} files, ${left.length} differ when wrapped`);
    for (const one of noise) console.log(`    left out, it differs between runs of the agent alone: ${one}`);
    const problems = [
      ...[...whole.refusals, ...pruned.refusals].map((message) => `refused: ${message}`),
      ...[...whole.wrongBytes, ...pruned.wrongBytes],
      ...[...wrongSent(whole), ...wrongSent(pruned)],
      ...[...wrongSaving(whole, saved), ...wrongSaving(pruned, saved)],
      ...left.map((file) => `home folder: ${file}`),
    ];
    for (const problem of problems) console.log(`  ${problem}`);
    const isRight = problems.length === 0 && pruned.droppedThinking === 0 && pruned.isEdited && pruned.exitCode === 0;
    if (!isRight || pruned.dollars > whole.dollars) failures++;
  }
  console.log(`${failures} failures`);
  return failures === 0;
}
