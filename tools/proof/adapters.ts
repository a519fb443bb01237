/**
 * Recorded sessions as loops of agents, through the real SDK of each adapter, against the provider that enforces the rules:
 * none is refused, no record and no prefix changes, and the adapters of one SDK send the same. Then 3,000 turns of two
 * conversations at once through each hook, with retries and a restart.
 *
 * `npm run proof -- adapters [sessions] [turns] [part of the name of a hook]`; default 20, 3000 and all, for about an hour.
 * Without sessions, only the turns: `npm run proof -- adapters 0 3000 pi`.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { AGENT_LOOPS } from '../../test/adapters/agent-loops.ts';
import { HOOKS } from '../../test/adapters/hooks.ts';
import { manyTurns } from '../../test/adapters/many-turns.ts';
import { SDK_LOOPS } from '../../test/adapters/sdk-loops.ts';
import { type PlayedSteps, playSteps } from './adapters/play-steps.ts';
import { type RecordedStep, recordedSteps } from './adapters/recorded-steps.ts';
import { recordedSession, recordedSessions } from './recorded-sessions.ts';

const LARGEST_BYTES = 3 * 1024 * 1024;
const [MIN_STEPS, MAX_STEPS] = [20, 40];

/** Ways into one SDK with one model: they send the same. */
const SAME: readonly (readonly string[])[] = [
  ['@anthropic-ai/sdk, fetch', '@anthropic-ai/sdk, middleware'],
  ['ai and @ai-sdk/anthropic, fetch', 'ai and @ai-sdk/anthropic, middleware'],
  ['ai and @ai-sdk/openai, fetch', 'ai and @ai-sdk/openai, middleware'],
];
/** SDKs that write requests in their own way, and a hook that is not given the tools: the texts of the results are compared. */
const ALIKE: readonly (readonly string[])[] = [
  ['@anthropic-ai/sdk, fetch', 'ai and @ai-sdk/anthropic, fetch', 'ai and @ai-sdk/anthropic, prepareStep', 'pi'],
  [
    'openai, chat completions, fetch',
    'ai and @ai-sdk/openai, fetch',
    'langchain, wrapModelCall',
    'langgraph, preModelHook',
    '@openai/agents, chat completions',
  ],
  ['openai, responses, fetch', '@openai/agents, responses'],
];

interface Chosen {
  readonly file: string;
  readonly steps: readonly RecordedStep[];
  readonly workspaceRoot: string;
}

/** Sessions with enough calls, of all agents in turn. */
function chosenSessions(count: number): Chosen[] {
  const byAgent = new Map<string, string[]>();
  for (const file of recordedSessions()) {
    if (statSync(file).size > LARGEST_BYTES) continue;
    const agent = file.replace(/^.*\/(?:more-)?data\//, '').split('/')[0]!;
    byAgent.set(agent, [...(byAgent.get(agent) ?? []), file]);
  }
  const chosen: Chosen[] = [];
  for (let at = 0; chosen.length < count && [...byAgent.values()].some((files) => at < files.length); at++) {
    for (const files of byAgent.values()) {
      const file = files[at];
      if (file === undefined || chosen.length === count) continue;
      const session = recordedSession(file);
      const steps = recordedSteps(session, MAX_STEPS);
      if (steps.length >= MIN_STEPS) chosen.push({ file, steps, workspaceRoot: session.workspaceRoot ?? '/' });
    }
  }
  return chosen;
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

async function proveSessions(count: number): Promise<boolean> {
  const problems: string[] = [];
  let [loops, steps, removed, alike, compared] = [0, 0, 0, 0, 0];
  const sessions = chosenSessions(count);
  for (const { file, steps: recorded, workspaceRoot } of sessions) {
    const played = new Map<string, PlayedSteps>();
    for (const [name, start] of Object.entries({ ...SDK_LOOPS, ...AGENT_LOOPS })) {
      const one = await playSteps(start, recorded, workspaceRoot);
      played.set(name, one);
      loops++;
      steps += recorded.length;
      removed += one.removed;
      for (const problem of one.problems.slice(0, 2)) problems.push(`${path.basename(file)}, ${name}: ${problem}`);
    }
    for (const [first = '', ...others] of SAME) {
      for (const other of others)
        if (!isSame(played.get(first)?.bodies, played.get(other)?.bodies))
          problems.push(`${path.basename(file)}: ${other} does not send what ${first} sends`);
    }
    for (const [first = '', ...others] of ALIKE) {
      for (const other of others) {
        compared++;
        if (isSame(played.get(first)?.results, played.get(other)?.results)) alike++;
      }
    }
    console.log(
      `${path.basename(file)}: ${recorded.length} steps, removed ${[...played.values()].map((one) => one.removed).join(' ')}`,
    );
  }
  for (const problem of problems) console.log(problem);
  console.log(
    `${sessions.length} sessions, ${loops} loops, ${steps} steps: ${problems.length} problems, ${removed} results sent in another form at the end; ` +
      `texts of results alike in ${alike} of ${compared} comparisons of SDKs that write requests differently`,
  );
  return problems.length === 0;
}

async function proveTurns(turns: number, part: string): Promise<boolean> {
  const folder = mkdtempSync(path.join(tmpdir(), 'adapters-'));
  let holds = true;
  for (const [name, hook] of Object.entries(HOOKS)) {
    if (!name.includes(part)) continue;
    const played = await manyTurns(hook, turns, path.join(folder, name));
    const { changedPrefixes, changedRetries, epochs, untouched, late, recorded, sent, isSameRecord } = played;
    console.log(
      `${name}: 2 × ${turns} turns, ${changedPrefixes} prefixes and ${changedRetries} retries changed, ${epochs} epochs, ${untouched} not looked at, ${late} late, ` +
        `record ${isSameRecord ? 'unchanged' : 'CHANGED'}, last request ${sent} characters (recorded ${recorded})`,
    );
    holds &&= changedPrefixes + changedRetries + untouched + late === 0 && isSameRecord;
  }
  rmSync(folder, { recursive: true });
  return holds;
}

export async function prove([sessions = '20', turns = '3000', part = '']: readonly string[]): Promise<boolean> {
  const areSessions = await proveSessions(Number(sessions));
  return (await proveTurns(Number(turns), part)) && areSessions;
}
