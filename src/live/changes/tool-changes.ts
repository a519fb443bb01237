import { counted } from '../../content/counted.ts';
import { type Fields, isRecord } from '../../content/foreign-value.ts';
import { groupBy } from '../../content/group-by.ts';
import type { PromptChange } from '../contract.ts';

/** A tool as its provider renders it into the prompt. */
interface Tool {
  readonly name: string;
  readonly description: unknown;
  readonly schema: unknown;
  readonly rest: Fields;
}

const DESCRIPTIONS = ['description'];
const SCHEMAS = ['input_schema', 'parameters', 'parametersJsonSchema', 'inputSchema'];
/** A mark is no part of the text. */
const NO_TEXT = new Set(['cache_control', 'name', ...DESCRIPTIONS, ...SCHEMAS]);

const firstOf = (fields: Fields, names: readonly string[]): unknown =>
  names.map((name) => fields[name]).find((value) => value !== undefined);

function toolOf(given: Fields): Tool {
  // Chat has the function in a field of its own.
  const { function: inner, ...outer } = given;
  const fields = isRecord(inner) ? { ...outer, ...inner } : given;
  const { name, server_label: server, type } = fields;
  return {
    name: String(name ?? server ?? type ?? 'a tool without a name'),
    description: firstOf(fields, DESCRIPTIONS),
    schema: firstOf(fields, SCHEMAS),
    rest: Object.fromEntries(Object.entries(fields).filter(([key]) => !NO_TEXT.has(key))),
  };
}

/**
 * The tools of a request, without deferred ones, which are in no prompt until the model searches for them. Gemini groups its functions.
 * Source: https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-use-with-prompt-caching
 */
function toolsOf(value: unknown): readonly Tool[] {
  const given = (Array.isArray(value) ? value : []).filter(isRecord);
  const flat = given.flatMap((tool) => {
    const functions = tool['functionDeclarations'] ?? tool['function_declarations'];
    return Array.isArray(functions) ? functions.filter(isRecord) : [tool];
  });
  return flat.filter((tool) => tool['defer_loading'] !== true).map(toolOf);
}

/** How a tool differs, in words after its name and after several names. */
const DIFFERENCES = {
  added: ['was added', 'were added'],
  removed: ['was removed', 'were removed'],
  description: ['changed its description', 'changed their descriptions'],
  schema: ['changed its input schema', 'changed their input schemas'],
  both: ['changed its description and input schema', 'changed their descriptions and input schemas'],
  rest: ['changed', 'changed'],
} as const;
type Difference = keyof typeof DIFFERENCES;

function difference(before: Tool, now: Tool): Difference | undefined {
  const hasDescription = before.description !== now.description;
  const hasSchema = !isSameText(before.schema, now.schema);
  if (hasDescription && hasSchema) return 'both';
  if (hasDescription) return 'description';
  if (hasSchema) return 'schema';
  return isSameText(before.rest, now.rest) ? undefined : 'rest';
}

/** Equal values with their fields in another order are another text. */
const isSameText = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Which tools were added, removed or changed between two values of the field; none if only marks moved. */
export function toolChanges(before: unknown, now: unknown): readonly PromptChange[] {
  const old = new Map(toolsOf(before).map((tool) => [tool.name, tool]));
  const own = new Map(toolsOf(now).map((tool) => [tool.name, tool]));
  const differences = [...new Set([...old.keys(), ...own.keys()])].flatMap((name) => {
    const [was, is] = [old.get(name), own.get(name)];
    const found = was === undefined ? 'added' : is === undefined ? 'removed' : difference(was, is);
    return found === undefined ? [] : { name, found };
  });
  if (differences.length === 0)
    return isSameText([...old.keys()], [...own.keys()]) ? [] : [{ kind: 'tools', what: 'the order of tools changed' }];
  return [...groupBy(differences, ({ found }) => found)].map(([found, some]) => ({
    kind: 'tools',
    what: words(
      some.map(({ name }) => name),
      found,
    ),
  }));
}

/** The server of a tool of MCP, as Claude Code names it. */
const serverOf = (name: string): string | undefined => /^(mcp__.+?)__/.exec(name)?.[1];

/** `\`mcp__github\` changed its description`, `3 tools of \`mcp__github\` were added`, `\`Read\` and 2 more tools were removed`. */
function words(names: readonly string[], found: Difference): string {
  const [one, several] = DIFFERENCES[found];
  const [first = ''] = names;
  if (names.length === 1) return `\`${first}\` ${one}`;
  const server = serverOf(first);
  if (server !== undefined && names.every((name) => serverOf(name) === server))
    return `${counted(names.length, 'tool')} of \`${server}\` ${several}`;
  const more = names.length - 1;
  return `\`${first}\` and ${more} more ${more === 1 ? 'tool' : 'tools'} ${several}`;
}
