import { isRecord } from '../../../src/content/foreign-value.ts';
import type { ProviderRequest, Said } from '../../../src/strict-provider/contract.ts';
import { codeFor, hasNoTools, hasTool } from '../wrapped-agents/scripted-call.ts';

/** Each file is read, changed and read again, again and again. */
export const FILES = ['part0.txt', 'part1.txt', 'part2.txt'];

const OUTPUTS: ReadonlySet<unknown> = new Set(['function_call_output', 'custom_tool_call_output']);

/** The command of a call. */
function commandOf(step: number): string {
  const round = Math.floor(step / 3);
  const file = FILES[round % FILES.length]!;
  return step % 3 === 1 ? `sed -i 's/^mark .*/mark ${step}/' ${file}` : `cat ${file}`;
}

/** What the first lines of the files are when the calls are over. */
export const marksAfter = (calls: number): string[] =>
  FILES.map((_, at) => {
    const steps = Array.from({ length: calls }, (_, step) => step);
    const last = steps.findLast((step) => step % 3 === 1 && Math.floor(step / 3) % FILES.length === at);
    return last === undefined ? 'mark zero' : `mark ${last}`;
  });

/**
 * A model that makes so many calls in each session, one after the other: it counts those that were answered, also where
 * they are gone from the history.
 */
export function scriptedCalls(calls: number): (request: ProviderRequest) => Said {
  const sessions = new Map<unknown, Set<string>>();
  return (request) => {
    const { body } = request;
    const { input, prompt_cache_key: session } = isRecord(body) ? body : {};
    const answered = sessions.get(session) ?? new Set();
    sessions.set(session, answered);
    for (const item of Array.isArray(input) ? input.filter(isRecord) : []) {
      if (OUTPUTS.has(item['type'])) answered.add(String(item['call_id']));
    }
    if (hasNoTools(request)) return { text: 'A summary of what was done.' };
    const step = answered.size;
    if (step >= calls) return { text: 'Done.' };
    const cmd = commandOf(step);
    const call = hasTool(request, 'exec')
      ? { name: 'exec', input: codeFor(cmd) }
      : { name: 'exec_command', input: { cmd } };
    return { thinking: `Step ${step}.`, calls: [call] };
  };
}
