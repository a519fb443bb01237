import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ProviderRequest, Said } from '../../../src/strict-provider/contract.ts';
import type { AgentScript } from './agent-script.ts';
import { areMarked, writeMarkedFiles } from './marked-files.ts';
import {
  calling,
  canCall,
  editing,
  hasNoTools,
  reading,
  resultsIn,
  type ScriptedCall,
  writing,
} from './scripted-call.ts';

const NOTES = 'notes.txt';
/** Written by the model: of a file that it only read or edited, Claude Code 2.1.330 does not show what changed. */
const LOG = 'log.txt';
const SKILL = 'marks';
const FIRST = `Change the marks of the files, as @${NOTES} says. Use $${SKILL}.`;
const SECOND = 'Now the second half of the marks.';
const TASK = 'Look at the last part and report.';
const LINES = 120;
/** More calls than a report, a skill or thinking is kept, each of another file: Gemini CLI takes equal ones for a loop. */
const LOOKS = 24;

const lines = (what: string, count: number): string =>
  Array.from({ length: count }, (_, at) => `${what} ${at + 1}: nothing here is out of the ordinary.`).join('\n');

const lookedAt = (at: number): string => `other${at}.txt`;

interface Step {
  readonly kind: 'read' | 'edit' | 'write' | 'agent' | 'skill';
  readonly file: string;
  readonly change?: readonly [before: string, after: string];
  /** What is written. */
  readonly text?: string;
  /** True: while the model thinks, somebody else adds lines to a file that it wrote. */
  readonly isInterrupted?: boolean;
}

const changes = (before: string, after: string): Step[] =>
  [0, 1, 2].flatMap((number): Step[] => {
    const file = `part${number}.txt`;
    return [
      { kind: 'read', file },
      { kind: 'edit', file, change: [`mark ${before}`, `mark ${after}`] },
    ];
  });

const FIRST_TURN: readonly Step[] = [
  { kind: 'skill', file: 'part0.txt' },
  { kind: 'agent', file: 'part1.txt' },
  { kind: 'write', file: LOG, text: lines('Line', 40) },
  ...changes('zero', 'one').map((step, at) => ({ ...step, isInterrupted: at === 2 })),
  { kind: 'read', file: LOG },
  { kind: 'write', file: LOG, text: lines('Other line', 40) },
  ...Array.from({ length: LOOKS }, (_, at): Step => ({ kind: 'read', file: lookedAt(at) })),
];
const SECOND_TURN: readonly Step[] = [...changes('one', 'two'), { kind: 'read', file: LOG }];

const REPORT = lines('Finding', 60);
const SKILL_TEXT = `---\nname: ${SKILL}\ndescription: Says how marks are changed.\n---\n\n${lines('Rule', 60)}\n`;

/**
 * A sub-agent reports, a skill is loaded where the agent can, a person attaches a file, somebody else changes another
 * one, and the model goes on for many calls. The agent ends; two hours later its session goes on, and does the second half of the edits.
 */
export const twoTurns: AgentScript = {
  name: 'two turns with a sub-agent and attached files',
  prompts: [FIRST, SECOND],
  pauseMs: 2 * 60 * 60_000,
  noise: 0.1,
  setUp: (work) => {
    writeMarkedFiles(work, LINES);
    writeFileSync(path.join(work, NOTES), `${lines('Note', LINES)}\n`);
    for (let at = 0; at < LOOKS; at++) writeFileSync(path.join(work, lookedAt(at)), `${lines(`Line ${at}-`, 20)}\n`);
    for (const folder of ['.claude', '.agents']) {
      const skill = path.join(work, folder, 'skills', SKILL);
      mkdirSync(skill, { recursive: true });
      writeFileSync(path.join(skill, 'SKILL.md'), SKILL_TEXT);
    }
  },
  pausesAfter: (request) => isOneTurn(request) && resultsIn(request) === FIRST_TURN.length - 1,
  says: (request, work) => {
    if (hasNoTools(request)) return { text: 'A title' };
    if (!hasText(request, FIRST)) return subAgentSays(request, work);
    const step = stepsOf(request)[resultsIn(request)];
    if (step === undefined) return { text: 'Done.' };
    if (step.isInterrupted) appendFileSync(path.join(work, LOG), `${lines('Late line', 40)}\n`);
    return calling(request, callOf(step, request, work), `Now ${step.kind} ${step.file}.`);
  },
  isDone: (work) => areMarked(work, 'two'),
};

const hasText = ({ body }: ProviderRequest, text: string): boolean => JSON.stringify(body).includes(text);

/** True for an agent that got both prompts as one. */
const isOneTurn = (request: ProviderRequest): boolean => hasText(request, `${FIRST} ${SECOND}`);

/** The steps up to the end of the turn. */
const stepsOf = (request: ProviderRequest): readonly Step[] =>
  hasText(request, SECOND) ? [...FIRST_TURN, ...SECOND_TURN] : FIRST_TURN;

function subAgentSays(request: ProviderRequest, work: string): Said {
  if (resultsIn(request) === 0)
    return calling(request, { kind: 'read', input: reading(path.join(work, 'part2.txt')) }, 'Read it.');
  if (!canCall(request, 'end')) return { thinking: 'Report it.', text: REPORT };
  return calling(request, { kind: 'end', input: { result: { response: REPORT } } });
}

/** The call of a step; an agent without a tool for it reads the file. */
function callOf({ kind, file, change, text }: Step, request: ProviderRequest, work: string): ScriptedCall {
  const place = path.join(work, file);
  if (change !== undefined) return { kind: 'edit', input: editing(place, ...change) };
  if (text !== undefined) return { kind: 'write', input: writing(place, `${text}\n`) };
  if (kind === 'read' || !canCall(request, kind)) return { kind: 'read', input: reading(place) };
  const skill = { skill: SKILL, name: SKILL };
  const agent = {
    description: 'Look at a part',
    prompt: TASK,
    message: TASK,
    task: TASK,
    systemPrompt: 'You look.',
    run_in_background: true,
    subagent_type: hasText(request, 'general-purpose') ? 'general-purpose' : 'general',
    agent_name: 'generalist',
    agent_type: 'general-purpose',
    name: 'looker',
  };
  return { kind, input: kind === 'skill' ? skill : agent };
}
