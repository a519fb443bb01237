/** A call as XML in the text of an answer, from `start` to `end`. */
export interface TextCall {
  readonly name: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly start: number;
  readonly end: number;
}

/** The tools of Cline, Roo Code and Kilo Code. Source: their system prompts, 2024 to 2026. */
const TOOLS = [
  'access_mcp_resource',
  'apply_diff',
  'apply_patch',
  'ask_followup_question',
  'attempt_completion',
  'browser_action',
  'codebase_search',
  'condense',
  'edit',
  'edit_file',
  'execute_command',
  'fetch_instructions',
  'focus_chain',
  'generate_image',
  'insert_content',
  'list_code_definition_names',
  'list_files',
  'load_mcp_documentation',
  'new_rule',
  'new_task',
  'plan_mode_respond',
  'read_command_output',
  'read_file',
  'replace_in_file',
  'report_bug',
  'run_slash_command',
  'search_and_replace',
  'search_files',
  'search_replace',
  'skill',
  'switch_mode',
  'update_todo_list',
  'use_mcp_tool',
  'use_subagents',
  'web_fetch',
  'web_search',
  'write_to_file',
];
const OPENING = new RegExp(`<(${TOOLS.join('|')})>`, 'g');
const PARAMETER = /<([a-z][a-z_]*)>([\s\S]*?)(?:<\/\1>|$)/g;
/** Parameters that can contain their own closing tag: the last one counts. */
const FREE_TEXT: ReadonlySet<string> = new Set(['content', 'diff', 'result', 'arguments', 'patch']);
/** The agent's note after a call at which it cut the answer. */
const INTERRUPTED = /^\s*\[Response interrupted by a tool use result\.[^[\]]*\]/;

const trimLine = (value: string): string => value.replace(/^\n/, '').replace(/\n$/, '');

/** `<args>` of Roo Code: several files, each with its path and line ranges. */
function fileList(text: string): unknown {
  return [...text.matchAll(/<file>([\s\S]*?)(?:<\/file>|$)/g)].map(([, file = '']) => parametersOf(file));
}

function parametersOf(body: string): Readonly<Record<string, unknown>> {
  const parameters: Record<string, unknown> = {};
  for (const { index, 1: name = '', 2: value = '' } of body.matchAll(PARAMETER)) {
    const last = FREE_TEXT.has(name) ? body.lastIndexOf(`</${name}>`) : -1;
    if (name === 'args' && value.includes('<file>')) parameters['files'] = fileList(value);
    else if (last > index) {
      parameters[name] = trimLine(body.slice(index + name.length + 2, last));
      break;
    } else parameters[name] = trimLine(value);
  }
  return parameters;
}

/**
 * The calls in the text of an answer, each with the white space and the agent's note after it, and the first one with the
 * white space before it if it starts the text. A call that was cut ends with the text.
 */
export function textCalls(text: string): TextCall[] {
  const calls: TextCall[] = [];
  const blankFrom = text.trimEnd().length;
  let from = 0;
  for (const found of text.matchAll(OPENING)) {
    const name = found[1] as string;
    if (found.index < from) continue;
    const bodyStart = found.index + found[0].length;
    const close = text.indexOf(`</${name}>`, bodyStart);
    const bodyEnd = close === -1 ? text.length : close;
    let end = close === -1 ? text.length : close + name.length + 3;
    end += INTERRUPTED.exec(text.slice(end))?.[0].length ?? 0;
    if (end >= blankFrom) end = text.length;
    const start = text.slice(from, found.index).trim() === '' ? from : found.index;
    calls.push({ name, parameters: parametersOf(text.slice(bodyStart, bodyEnd)), start, end });
    from = end;
  }
  return calls;
}
