import path from 'node:path';
import { isRecord } from '../../../src/content/foreign-value.ts';
import type { ProviderRequest, Said } from '../../../src/strict-provider/contract.ts';

const ROUNDS = 6;

interface Step {
  readonly kind: 'read' | 'edit' | 'say';
  readonly file: string;
  readonly change?: readonly [before: string, after: string];
}

/** Reads a file, edits it, reads it again; then another one, and so on. */
export const STEPS: readonly Step[] = [
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
export function says({ body }: ProviderRequest, work: string): Said {
  const tools = toolsOf(isRecord(body) ? body : {});
  const step = STEPS[JSON.stringify(body).match(RESULTS)?.length ?? 0];
  if (tools.size === 0) return { text: 'A title' };
  if (step === undefined || step.kind === 'say') return { text: 'Done.' };
  const name = TOOL_NAMES[step.kind].find((one) => tools.has(one));
  if (name === undefined) return { text: 'No tool fits.' };
  return { thinking: `Now ${step.kind} ${step.file}.`, calls: [{ name, input: inputOf(step, tools.get(name), work) }] };
}
