/**
 * Markers that a model copies, in real agents through `density wrap`, against a model that follows a script: each copy must be refused before
 * it is in a file, or told in the result of its call, and the lines then be written. Then fifty ordinary calls about markers: none may be refused
 * twice, at most two once. Prints for each agent whether the guard is active, and what it adds to a call that writes a file.
 *
 * `npm run proof -- guard <folder of the agents> [agent …]`. Run it where nothing leads out of the machine.
 */

import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { GuardLog } from '../../src/guard/guard-log.ts';
import { livePruners } from '../../src/live/exchange/live-changes.ts';
import { fileStore } from '../../src/live/file-store.ts';
import { WRAPPED_AGENTS } from '../../src/proxy/agents/index.ts';
import { GuardServer } from '../../src/proxy/guard/guard-server.ts';
import { runWrapped } from '../../src/proxy/wrap/wrapped-run.ts';
import { providerServer } from '../../src/strict-provider/provider-server.ts';
import { StrictProvider } from '../../src/strict-provider/strict-provider.ts';
import { AGENTS, type Agent, makeHome } from './agents.ts';
import { AGENT_TOOLS } from './guard/agent-tools.ts';
import { ScriptedCopies } from './guard/scripted-copies.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const COMMAND = path.join(ROOT, 'dist/density.js');
const PORT = 7_314;
const LINES = 200;
const ROUNDS = 200;
const MAX_REFUSED_ONCE = 2;
const MAX_ADDED_MS = 5;

async function runAgent(agent: Agent, bin: string): Promise<boolean> {
  const home = mkdtempSync(path.join(os.tmpdir(), `guarded-${agent.program}-`));
  const work = path.join(home, 'work');
  const data = path.join(home, 'data');
  mkdirSync(data);
  makeHome(home, agent, PORT);
  const file = path.join(work, 'part.txt');
  writeFileSync(
    file,
    Array.from({ length: LINES }, (_, at) => `value ${at} is an ordinary line of this file\n`).join(''),
  );
  spawnSync('git', ['init', '-q', work]);
  const script = new ScriptedCopies(AGENT_TOOLS[agent.program]!, {
    work,
    file,
    has(marker) {
      const own = path.join(work, 'has-one.md');
      writeFileSync(own, `# A marker\n\n${marker}\n`);
      return own;
    },
  });
  const server = providerServer(new StrictProvider(), {
    now: Date.now,
    script: (request) => script.says(request),
    onRequest: (_, outcome) => {
      if (outcome.status !== 200) console.log(`  refused by the provider: ${JSON.stringify(outcome).slice(0, 200)}`);
    },
  });
  server.listen(PORT, '127.0.0.1');
  await once(server, 'listening');
  const known = WRAPPED_AGENTS.find(({ command }) => command === agent.program)!;
  const troubles: string[] = [];
  const store = fileStore(path.join(data, 'conversations'));
  const { change, copiedMarker } = livePruners({
    workspaceRoot: work,
    agent: known.agent,
    archive: async () => {},
    store,
  });
  const log = new GuardLog(data);
  const guard = new GuardServer({
    agent: known.agent,
    copiedMarker,
    log,
    onGuarded: () => {},
    onTrouble: (what) => troubles.push(what),
  });
  const environment = {
    ...agent.environment(PORT),
    PATH: `${bin}:${process.env['PATH']}`,
    HOME: home,
    TERM: 'dumb',
    XDG_DATA_HOME: data,
    npm_config_offline: 'true',
    GIT_AUTHOR_NAME: 'a',
    GIT_AUTHOR_EMAIL: 'a@example.org',
    GIT_COMMITTER_NAME: 'a',
    GIT_COMMITTER_EMAIL: 'a@example.org',
  };
  const previous = process.cwd();
  process.chdir(work);
  let unguarded: string | undefined;
  await runWrapped(
    known,
    { parameters: agent.start(PORT, 'Write the files.'), environment, folder: work, home },
    {
      commandFile: COMMAND,
      change,
      guard,
      onTrouble: (what) => troubles.push(what),
      async onReady(_, route) {
        unguarded = route.unguarded;
        return {};
      },
    },
  );
  process.chdir(previous);
  server.close();
  server.closeAllConnections();
  rmSync(home, { recursive: true, force: true });
  const { copies, ordinary } = script;
  console.log(
    `${agent.name}\n  guard active after plain density wrap ${agent.program}: ${unguarded === undefined ? 'yes' : `no, ${unguarded}`}`,
  );
  for (const { copy, outcome, isRight } of copies)
    console.log(
      `  ${copy.padEnd(22)} ${outcome}${isRight ? ', then the lines were written' : ', AND THE FILE IS WRONG'}`,
    );
  console.log(
    `  ${ordinary.calls} ordinary calls: ${ordinary.refusedOnce} refused once, ${ordinary.refusedTwice} refused twice`,
  );
  for (const which of ordinary.which) console.log(`    ${which}`);
  for (const trouble of troubles) console.log(`  ${trouble}`);
  return (
    copies.length === 8 &&
    copies.every(({ outcome, isRight }) => isRight && outcome !== 'unseen') &&
    ordinary.calls === 50 &&
    ordinary.refusedOnce <= MAX_REFUSED_ONCE &&
    ordinary.refusedTwice === 0 &&
    troubles.length === 0
  );
}

const median = (values: readonly number[]): number => values.toSorted((one, other) => one - other)[values.length >> 1]!;

/** What a hook adds to a call that writes a file, in milliseconds at the median: asked over HTTP as a wrapped agent asks, and as a process. */
async function addedMs(): Promise<boolean> {
  const { copiedMarker } = livePruners({ workspaceRoot: '/' });
  const folder = mkdtempSync(path.join(os.tmpdir(), 'guard-added-'));
  const facts = { agent: 'claude-code', copiedMarker, log: new GuardLog(folder) };
  const guard = new GuardServer({ ...facts, onGuarded: () => {}, onTrouble: () => {} });
  const { startProxy } = await import('../../src/proxy/proxy.ts');
  const proxy = await startProxy({ mounts: [], guard });
  const content = Array.from({ length: 300 }, (_, at) => `const value${at} = ${at}; // an ordinary line`).join('\n');
  const event = {
    hook_event_name: 'PreToolUse',
    session_id: 'fc5e04a8',
    cwd: '/',
    tool_name: 'Write',
    transcript_path: '',
  };
  const input = JSON.stringify({ ...event, tool_input: { file_path: '/x.ts', content } });
  const asked: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const startedAt = performance.now();
    await (await fetch(proxy.guardUrl, { method: 'POST', body: input })).text();
    asked.push(performance.now() - startedAt);
  }
  await proxy.close();
  const started = (args: readonly string[]): number =>
    median(
      Array.from({ length: 21 }, () => {
        const startedAt = performance.now();
        spawnSync(process.execPath, args, { input, env: { PATH: process.env['PATH'], HOME: folder } });
        return performance.now() - startedAt;
      }),
    );
  const bare = started(['-e', '0']);
  const hook = started([path.join(ROOT, 'plugins/density/density.mjs'), 'hook']);
  rmSync(folder, { recursive: true, force: true });
  const words = (ms: number): string => `${ms.toFixed(1)} ms`;
  console.log(
    `added to a call that writes a file, p50: ${words(median(asked))} where the wrapper is asked; ${words(hook)} as a hook of the plugin, of which bare Node ${words(bare)}`,
  );
  return median(asked) <= MAX_ADDED_MS;
}

export async function prove([folder = '', ...names]: readonly string[]): Promise<boolean> {
  const bin = path.resolve(folder, 'node_modules/.bin');
  let holds = await addedMs();
  for (const agent of AGENTS) {
    if (AGENT_TOOLS[agent.program] === undefined || (names.length > 0 && !names.includes(agent.program))) continue;
    if (existsSync(path.join(bin, agent.program))) holds = (await runAgent(agent, bin)) && holds;
    else console.log(`${agent.name} is absent: npm install --prefix <folder> --no-audit --no-fund ${agent.package}`);
  }
  return holds;
}
