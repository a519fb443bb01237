/**
 * Real agents through `density wrap`, against a provider that enforces the rules of its API and bills by them, on a
 * clock that jumps over the lifetime of the cache: each with its requests pruned, and untouched. Every request must be
 * accepted, the file edited, no thinking lost, and the bill not higher.
 *
 * `npm run proof -- wrapped-agents <folder of the agents> [agent …]`. Run it where nothing leads out of the machine.
 */

import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { isRecord } from '../../src/content/foreign-value.ts';
import { fileStore } from '../../src/live/file-store.ts';
import { WRAPPED_AGENTS } from '../../src/proxy/agents/index.ts';
import type { ProxiedCall } from '../../src/proxy/contract.ts';
import { liveChanges } from '../../src/proxy/live-changes.ts';
import { runWrapped } from '../../src/proxy/wrapped-run.ts';
import type { Accepted, ProviderRequest, Refused, Said } from '../../src/strict-provider/contract.ts';
import { providerServer } from '../../src/strict-provider/provider-server.ts';
import { StrictProvider } from '../../src/strict-provider/strict-provider.ts';
import { AGENTS, type Agent, makeHome } from './agents.ts';

const COMMAND = path.resolve(import.meta.dirname, '../../../dist/density.js');
/** Between two calls; before the last third of them comes a pause longer than any cache. */
const CALL_MS = 20_000;
const PAUSE_MS = 3 * 60 * 60_000;
const LINES = 700;
const ROUNDS = 6;

interface Step {
  readonly kind: 'read' | 'edit' | 'say';
  readonly file: string;
  readonly change?: readonly [before: string, after: string];
}

/** Reads a file, edits it, reads it again; then another one, and so on. */
const STEPS: readonly Step[] = [
  ...Array.from({ length: ROUNDS }, (_, round): Step[] => {
    const file = `part${round % 3}.txt`;
    const mark = round < 3 ? 'zero' : 'one';
    return [
      { kind: 'read', file },
      { kind: 'edit', file, change: [`mark ${mark}`, `mark ${round < 3 ? 'one' : 'two'}`] },
      { kind: 'read', file },
    ];
  }).flat(),
  { kind: 'say', file: '' },
];

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
}

/** Parameters of a tool in the names that its schema knows. */
function inputOf(step: Step, schema: unknown, work: string): Record<string, unknown> {
  const file = path.join(work, step.file);
  const [before = '', after = ''] = step.change ?? [];
  const every = {
    ...{ path: file, file_path: file, filePath: file, absolute_path: file },
    ...(step.change && { old_string: before, new_string: after, oldString: before, newString: after }),
    ...(step.change && { edits: [{ oldText: before, newText: after }], instruction: 'as scripted' }),
    cmd: step.change ? `sed -i 's/${before}/${after}/' ${step.file}` : `cat ${step.file}`,
  };
  const known =
    isRecord(schema) && isRecord(schema['properties']) ? Object.keys(schema['properties']) : Object.keys(every);
  return Object.fromEntries(Object.entries(every).filter(([name]) => known.includes(name)));
}

const TOOL_NAMES = {
  read: ['Read', 'read_file', 'read', 'exec_command'],
  edit: ['Edit', 'replace', 'edit', 'exec_command'],
};

/** The tools of a request: names and schemas. */
function toolsOf(body: Record<string, unknown>): Map<string, unknown> {
  const listed = Array.isArray(body['tools']) ? body['tools'].filter(isRecord) : [];
  return new Map(
    listed.flatMap((tool): [string, unknown][] => {
      const inner = isRecord(tool['function']) ? tool['function'] : tool;
      if (typeof inner['name'] === 'string') return [[inner['name'], inner['input_schema'] ?? inner['parameters']]];
      const declared = Array.isArray(tool['functionDeclarations']) ? tool['functionDeclarations'].filter(isRecord) : [];
      return declared.map((one) => [String(one['name']), one['parametersJsonSchema'] ?? one['parameters']]);
    }),
  );
}

const RESULTS = /"type":"tool_result"|"role":"tool"|"functionResponse":|"type":"function_call_output"/g;

/** The step that follows as many results as the request contains; a title where it has no tools. */
function says({ body }: ProviderRequest, work: string): Said {
  const tools = toolsOf(isRecord(body) ? body : {});
  const step = STEPS[JSON.stringify(body).match(RESULTS)?.length ?? 0];
  if (tools.size === 0) return { text: 'A title' };
  if (step === undefined || step.kind === 'say') return { text: 'Done.' };
  const name = TOOL_NAMES[step.kind].find((one) => tools.has(one));
  if (name === undefined) return { text: 'No tool fits.' };
  return { thinking: `Now ${step.kind} ${step.file}.`, calls: [{ name, input: inputOf(step, tools.get(name), work) }] };
}

async function runAgent(agent: Agent, bin: string, isShadow: boolean): Promise<Run> {
  const home = mkdtempSync(path.join(os.tmpdir(), `wrapped-${agent.program}-`));
  const work = path.join(home, 'work');
  let clockMs = Date.now();
  let calls = 0;
  const outcomes: (Accepted | Refused)[] = [];
  const server = providerServer(new StrictProvider(), {
    now: () => clockMs,
    script: (request) => says(request, work),
    onRequest: ({ isCount }, outcome) => {
      outcomes.push(outcome);
      if (isCount) return;
      calls++;
      clockMs += calls === Math.floor((STEPS.length * 2) / 3) ? PAUSE_MS : CALL_MS;
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  makeHome(home, agent, port);
  for (const number of [0, 1, 2]) {
    const lines = Array.from({ length: LINES }, (_, at) => `value ${number}-${at} is an ordinary line of this file`);
    writeFileSync(path.join(work, `part${number}.txt`), ['mark zero', ...lines, ''].join('\n'));
  }
  mkdirSync(path.join(work, '.git'));
  const proxied: ProxiedCall[] = [];
  const known = WRAPPED_AGENTS.find(({ command }) => command === agent.program)!;
  const environment = { ...agent.environment(port), PATH: `${bin}:${process.env['PATH']}`, HOME: home, TERM: 'dumb' };
  const previous = process.cwd();
  process.chdir(work);
  const exitCode = await runWrapped(
    known,
    { parameters: agent.start(port, 'Change the marks of the files.'), environment, folder: work, home },
    {
      commandFile: COMMAND,
      change: liveChanges({
        workspaceRoot: work,
        agent: known.agent,
        isShadow,
        now: () => clockMs,
        store: fileStore(path.join(home, 'live')),
        archive: async () => {},
      }),
      onCall: (call) => proxied.push(call),
    },
  );
  process.chdir(previous);
  server.close();
  server.closeAllConnections();
  const accepted = outcomes.filter((outcome): outcome is Accepted => outcome.status === 200);
  const edited = [0, 1, 2].map((number) => readFileSync(path.join(work, `part${number}.txt`), 'utf8'));
  rmSync(home, { recursive: true, force: true });
  const sum = (pick: (outcome: Accepted) => number): number => accepted.reduce((total, one) => total + pick(one), 0);
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
  };
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

export async function prove([folder = '', ...names]: readonly string[]): Promise<boolean> {
  const bin = path.resolve(folder, 'node_modules/.bin');
  let failures = 0;
  for (const { name, agent } of VARIANTS) {
    if (names.length > 0 && !names.includes(agent.program)) continue;
    const [whole, pruned] = [await runAgent(agent, bin, true), await runAgent(agent, bin, false)];
    console.log(`${name}\n  untouched: ${wordsOf(whole)}\n  pruned:    ${wordsOf(pruned)}`);
    for (const message of [...whole.refusals, ...pruned.refusals]) console.log(`  refused: ${message}`);
    const isRight =
      pruned.refusals.length === 0 && pruned.droppedThinking === 0 && pruned.isEdited && pruned.exitCode === 0;
    if (!isRight || pruned.dollars > whole.dollars) failures++;
  }
  console.log(`${failures} failures`);
  return failures === 0;
}
