import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { ChangeRequest } from '../../../src/live/exchange/contract.ts';
import { inShadow, liveChanges } from '../../../src/live/exchange/live-changes.ts';
import { fileStore } from '../../../src/live/file-store.ts';
import { RECOMMENDED_CONFIG } from '../../../src/live/turn/recommended-config.ts';
import { WRAPPED_AGENTS } from '../../../src/proxy/agents/index.ts';
import { CallLog, loggedCall } from '../../../src/proxy/call-log.ts';
import type { ProxiedCall } from '../../../src/proxy/contract.ts';
import { runInTerminal } from '../../../src/proxy/wrap/in-terminal.ts';
import { runWrapped } from '../../../src/proxy/wrap/wrapped-run.ts';
import type { Accepted, Refused } from '../../../src/strict-provider/contract.ts';
import { providerServer } from '../../../src/strict-provider/provider-server.ts';
import { StrictProvider } from '../../../src/strict-provider/strict-provider.ts';
import { makeHome } from '../agents.ts';
import type { ScriptedAgent } from './agent-script.ts';
import { type HomeFolder, homeFolder } from './home-folder.ts';
import { canCall } from './scripted-call.ts';
import { type AgentRequest, frozenTexts, wrongRequests } from './sent-requests.ts';
import { type ShortenedKinds, shortenedKinds } from './shortened-kinds.ts';

const COMMAND = path.resolve(import.meta.dirname, '../../../../dist/density.js');
/** A script has some forty: an agent that shortens its history would be told to begin again and again. */
const MOST_CALLS = 150;
/** Between two calls. */
const CALL_MS = 20_000;
/** Packages that an agent gets for itself would be in its home, or not yet. */
const NO_PACKAGES = { npm_config_offline: 'true' };
/** Always the same, because agents write it into their files. */
const PORT = 7_313;

/** What a run of an agent did, and what its provider counted and billed. */
export interface Run {
  readonly statuses: readonly number[];
  readonly refusals: readonly string[];
  readonly droppedThinking: number;
  readonly promptTokens: number;
  readonly dollars: number;
  /** False for a model of which the strict provider has no price: it bills nothing. */
  readonly isPriced: boolean;
  readonly shortened: number;
  readonly kinds: ShortenedKinds;
  /** What the agent has tools for, besides files. */
  readonly abilities: ReadonlySet<Ability>;
  readonly savedTokens: number;
  readonly isEdited: boolean;
  readonly exitCode: number;
  /** What was sent that is not the agent's request with frozen texts in it. */
  readonly wrongBytes: readonly string[];
  /** What `density stats` said of the run; absent for an agent that was not wrapped. */
  readonly stats?: Readonly<Record<string, unknown>> | undefined;
  readonly home: HomeFolder;
}

const ABILITIES = ['agent', 'skill'] as const;
type Ability = (typeof ABILITIES)[number];
type Mode = 'alone' | 'untouched' | 'pruned';

/** Runs the script of an agent in a home of its own, each of its prompts in a process of its own; what prunes knows all of them, as `density proxy` does. */
export async function runAgent(
  { agent, script, config = RECOMMENDED_CONFIG }: ScriptedAgent,
  bin: string,
  mode: Mode,
): Promise<Run> {
  // Always the same, because agents write it into their files.
  const home = path.join(os.tmpdir(), `wrapped-${agent.program}`);
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home);
  const work = path.join(home, 'work');
  const data = mkdtempSync(path.join(os.tmpdir(), 'wrapped-data-'));
  let clockMs = Date.now();
  let calls = 0;
  const abilities = new Set<Ability>();
  const outcomes: (Accepted | Refused)[] = [];
  /** Without those that only count. */
  const answered: Accepted[] = [];
  const server = providerServer(new StrictProvider(), {
    now: () => clockMs,
    script: (request) => (calls < MOST_CALLS ? script.says(request, work) : { text: 'That is enough.' }),
    onRequest: (request, outcome) => {
      outcomes.push(outcome);
      if (request.isCount) return;
      if (outcome.status === 200) answered.push(outcome);
      for (const one of ABILITIES) if (canCall(request, one)) abilities.add(one);
      calls++;
      clockMs += script.pausesAfter(request, calls) ? script.pauseMs : CALL_MS;
    },
  });
  // Whole requests are compared here; the proof `websocket` has what Codex sends otherwise.
  server.removeAllListeners('upgrade');
  const received: Buffer[] = [];
  server.on('request', (incoming: IncomingMessage) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => received.push(Buffer.concat(chunks)));
  });
  server.listen(PORT, '127.0.0.1');
  await once(server, 'listening');
  makeHome(home, agent, PORT);
  script.setUp(work);
  mkdirSync(path.join(work, '.git'));
  const proxied: ProxiedCall[] = [];
  const known = WRAPPED_AGENTS.find(({ command }) => command === agent.program)!;
  const environment = {
    ...NO_PACKAGES,
    ...agent.environment(PORT),
    PATH: `${bin}:${process.env['PATH']}`,
    HOME: home,
    TERM: 'dumb',
  };
  const conversations = path.join(data, 'conversations');
  const facts = { config, workspaceRoot: work, agent: known.agent, now: () => clockMs, archive: async () => {} };
  const sent: AgentRequest[] = [];
  /** The main agent of this proof waits for each answer. */
  let sentAt = clockMs;
  const log = new CallLog(path.join(data, 'high-density/live'));
  const onCall = (call: ProxiedCall): void => {
    proxied.push(call);
    void log.append(loggedCall(call, { at: sentAt, agent: known.agent, isShadow: mode === 'untouched' }));
  };
  const decide = liveChanges({ ...facts, store: fileStore(conversations) });
  const live = mode === 'untouched' ? inShadow(decide, liveChanges({ ...facts, isOff: true })) : decide;
  const change: ChangeRequest = async (request) => {
    sentAt = clockMs;
    const changed = await live(request);
    const bodies = { original: Buffer.from(request.body), sent: Buffer.from(changed.body) };
    sent.push({ ...bodies, report: changed.report, frozen: frozenTexts(conversations) });
    return changed;
  };
  const previous = process.cwd();
  process.chdir(work);
  let exitCode = 0;
  const { goOn } = agent;
  for (const [at, prompt] of (goOn ? script.prompts : [script.prompts.join(' ')]).entries()) {
    if (at > 0) clockMs += script.pauseMs;
    const parameters = at > 0 && goOn ? goOn(PORT, prompt) : agent.start(PORT, prompt);
    const start = { parameters, environment, folder: work, home };
    exitCode ||=
      mode === 'alone'
        ? await runInTerminal(agent.program, parameters, { env: environment })
        : await runWrapped(known, start, { commandFile: COMMAND, change, onCall });
  }
  process.chdir(previous);
  await log.close();
  server.close();
  server.closeAllConnections();
  const isEdited = script.isDone(work);
  const wrongBytes = mode === 'alone' ? [] : wrongRequests(sent, received);
  const stats = mode === 'alone' ? undefined : await statsOf(data);
  const folder = homeFolder(home);
  for (const one of [home, data]) rmSync(one, { recursive: true, force: true });
  const sum = (pick: (outcome: Accepted) => number): number => answered.reduce((total, one) => total + pick(one), 0);
  const reports = proxied.flatMap(({ report }) => report ?? []);
  return {
    statuses: outcomes.map(({ status }) => status),
    refusals: outcomes.flatMap((outcome) => (outcome.status === 200 ? [] : [outcome.message])),
    droppedThinking: sum(({ dropped }) => dropped.length),
    promptTokens: sum(({ tokens }) => tokens.uncached + tokens.read + tokens.written + tokens.writtenForAnHour),
    dollars: sum(({ dollars = 0 }) => dollars),
    isPriced: answered.some(({ dollars }) => dollars !== undefined),
    shortened: reports.reduce((total, { changed }) => total + changed.length, 0),
    kinds: shortenedKinds(reports),
    abilities,
    savedTokens: reports.reduce((total, { savedTokens }) => total + savedTokens, 0),
    isEdited,
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
