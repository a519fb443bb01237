import path from 'node:path';
import type { AgentScript } from './agent-script.ts';
import { areMarked, writeMarkedFiles } from './marked-files.ts';
import { calling, editing, hasNoTools, reading, resultsIn, type ScriptedCall } from './scripted-call.ts';

const ROUNDS = 6;
const LINES = 700;

/** Reads a file, edits it, reads it again; then another one, and so on. */
const STEPS = Array.from({ length: ROUNDS }, (_, round) => {
  const file = `part${round % 3}.txt`;
  const [before, after] = round < 3 ? ['mark zero', 'mark one'] : ['mark one', 'mark two'];
  return [
    { file, kind: 'read', inputOf: reading },
    { file, kind: 'edit', inputOf: (at: string) => editing(at, before!, after!) },
    { file, kind: 'read', inputOf: reading },
  ] as const;
}).flat();

/** Reads and edits three files in turn. Before the last third of the calls comes a pause longer than any cache. */
export const threeFiles: AgentScript = {
  name: 'three files in turn',
  prompts: ['Change the marks of the files.'],
  pauseMs: 3 * 60 * 60_000,
  pausesAfter: (_, calls) => calls === Math.floor(((STEPS.length + 1) * 2) / 3),
  noise: 0,
  setUp: (work) => writeMarkedFiles(work, LINES),
  says: (request, work) => {
    if (hasNoTools(request)) return { text: 'A title' };
    const step = STEPS[resultsIn(request)];
    if (step === undefined) return { text: 'Done.' };
    const { kind, file, inputOf } = step;
    const call: ScriptedCall = { kind, input: inputOf(path.join(work, file)) };
    return calling(request, call, `Now ${kind} ${file}.`);
  },
  isDone: (work) => areMarked(work, 'two'),
};
