import { isRecord } from '../../../src/content/foreign-value.ts';
import type { ProviderRequest, Said } from '../../../src/strict-provider/contract.ts';

/** A call that the scripted model makes, whatever the agent's tools are named. */
export interface ScriptedCall {
  readonly kind: keyof typeof TOOL_NAMES;
  /** Parameters by all names that agents have for them. */
  readonly input: Readonly<Record<string, unknown>>;
}

/** What an agent's tools are named; the first one that a request has is called. */
const TOOL_NAMES = {
  read: ['Read', 'read_file', 'read', 'view', 'read_files', 'exec_command', 'exec'],
  edit: ['Edit', 'replace', 'edit', 'editor', 'exec_command', 'exec', 'bash'],
  write: ['Write', 'write_file', 'write', 'create', 'editor', 'exec_command', 'exec'],
  agent: ['Agent', 'agent', 'task', 'invoke_agent', 'spawn_agent'],
  skill: ['Skill', 'skill', 'activate_skill'],
  end: ['complete_task'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

interface Tool {
  readonly schema: unknown;
  readonly namespace?: string;
}

/** In a field, or as of Codex in code mode in the first item. */
function listedTools(body: unknown): readonly Record<string, unknown>[] {
  if (!isRecord(body)) return [];
  const { tools, input } = body;
  if (Array.isArray(tools)) return tools.filter(isRecord);
  return Array.isArray(input) && isRecord(input[0]) && input[0]['type'] === 'additional_tools'
    ? listedTools(input[0])
    : [];
}

/** The tools of a request by their names. */
function toolsOf(body: unknown): Map<string, Tool> {
  const listed = listedTools(body);
  return new Map(
    listed.flatMap((tool): [string, Tool][] => {
      const inner = isRecord(tool['function']) ? tool['function'] : tool;
      const { name } = inner;
      if (tool['type'] === 'namespace') {
        return [...toolsOf(tool)].map(([one, { schema }]) => [one, { schema, namespace: String(name) }]);
      }
      if (typeof name === 'string') return [[name, { schema: inner['input_schema'] ?? inner['parameters'] }]];
      const declared = Array.isArray(tool['functionDeclarations']) ? tool['functionDeclarations'].filter(isRecord) : [];
      return declared.map((one) => [String(one['name']), { schema: one['parametersJsonSchema'] ?? one['parameters'] }]);
    }),
  );
}

/** The parameters that the schema of a tool knows. */
function known(input: ScriptedCall['input'], schema: unknown): Record<string, unknown> {
  const properties = isRecord(schema) && isRecord(schema['properties']) ? schema['properties'] : input;
  return Object.fromEntries(Object.entries(input).filter(([name]) => name in properties));
}

/** True if the schema of a tool knows one of them; a free form knows none. */
const isKnown = (input: ScriptedCall['input'], schema: unknown): boolean =>
  schema === undefined || Object.keys(known(input, schema)).length > 0;

/** True if a request has a tool for such a call. */
export const canCall = ({ body }: ProviderRequest, kind: ScriptedCall['kind']): boolean => {
  const tools = toolsOf(body);
  const isOne = (name: string): boolean =>
    tools.has(name) && (kind !== 'agent' || isKnown(ONE_TASK, tools.get(name)?.schema));
  return TOOL_NAMES[kind].some(isOne);
};

/** Sub-agents that get a list of tasks are another tool. */
const ONE_TASK = { prompt: '', message: '', task: '', objective: '' };

/** True if a request has the tool of this name. */
export const hasTool = ({ body }: ProviderRequest, name: string): boolean => toolsOf(body).has(name);

/** True for a request without tools, as for a title. */
export const hasNoTools = ({ body }: ProviderRequest): boolean => toolsOf(body).size === 0;

/** The answer that makes a call by the tool which the request has for it. */
export function calling({ body }: ProviderRequest, { kind, input }: ScriptedCall, thinking?: string): Said {
  const tools = toolsOf(body);
  // Oh My Pi has an edit of its own, in one text: a shell command does the same.
  const takesAny = (one: string): boolean => one === 'bash' || isKnown(input, tools.get(one)?.schema);
  const name = TOOL_NAMES[kind].find((one) => tools.has(one) && takesAny(one));
  if (name === undefined) return { text: 'No tool fits.' };
  const { schema, namespace } = tools.get(name)!;
  const command = String(input['cmd']);
  const given = name === 'exec' ? codeFor(command) : known(name === 'bash' ? { command } : input, schema);
  const call = { name, ...(namespace !== undefined && { namespace }), input: given };
  return { ...(thinking !== undefined && { thinking }), calls: [call] };
}

/** What Codex runs in code mode: all its tools are functions of a script. */
export const codeFor = (cmd: string): string =>
  `const r = await tools.exec_command(${JSON.stringify({ cmd, max_output_tokens: 20_000 })});\ntext(r.output);\n`;

/** The input that reads a file. Copilot CLI shows a long file only by a range. */
export const reading = (file: string): ScriptedCall['input'] => ({
  ...pathNames(file),
  view_range: [1, -1],
  files: [{ path: file }],
  cmd: `cat ${file}`,
});

/** The input that changes a text of a file. */
export const editing = (file: string, before: string, after: string): ScriptedCall['input'] => ({
  ...pathNames(file),
  old_string: before,
  new_string: after,
  oldString: before,
  newString: after,
  old_str: before,
  new_str: after,
  old_text: before,
  new_text: after,
  instruction: 'as scripted',
  edits: [{ oldText: before, newText: after }],
  cmd: `sed -i 's/${before}/${after}/' ${file}`,
});

/** The input that writes a file of these lines, which have no quotes. */
export const writing = (file: string, content: string): ScriptedCall['input'] => ({
  ...pathNames(file),
  content,
  file_text: content,
  new_text: content,
  cmd: `cat > ${file} <<'END'\n${content}END`,
});

const pathNames = (file: string) => ({ path: file, file_path: file, filePath: file, absolute_path: file });

const RESULTS = /"type":"tool_result"|"role":"tool"|"functionResponse":|"type":"(?:function|custom_tool)_call_output"/g;

/** How many results a request has. */
export const resultsIn = ({ body }: ProviderRequest): number => JSON.stringify(body).match(RESULTS)?.length ?? 0;
