import { append } from '../../content/append.ts';
import { asText, isRecord } from '../../content/foreign-value.ts';

/** A message of the Messages API. */
interface ApiMessage {
  readonly role: 'user' | 'assistant';
  readonly content: object[];
}

/** A list as a mod of Claude Code gives it; `undefined`: its shape is not known. Linear. */
export function apiMessages(given: unknown): readonly ApiMessage[] | undefined {
  if (!Array.isArray(given)) return undefined;
  const messages: ApiMessage[] = [];
  for (const one of given) {
    if (!isRecord(one)) return undefined;
    const { role } = one;
    if (role !== 'user' && role !== 'assistant') return undefined;
    const content = contentOf(one);
    // Claude Code writes each block of an answer as a message of its own.
    if (messages.at(-1)?.role === role) append(messages.at(-1)!.content, content);
    else if (content.length > 0) messages.push({ role, content });
  }
  return messages;
}

const listOf = (value: unknown): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(value) ? value.filter(isRecord) : [];

function contentOf({ text, toolUses, toolResults }: Readonly<Record<string, unknown>>): object[] {
  const results = listOf(toolResults).map(({ tool_use_id, text: shown, isError }) => ({
    type: 'tool_result',
    tool_use_id,
    content: asText(shown),
    ...(isError === true && { is_error: true }),
  }));
  const said = asText(text) === '' ? [] : [{ type: 'text', text }];
  const calls = listOf(toolUses).map(({ tool_use_id: id, tool: name, input }) => ({
    type: 'tool_use',
    id,
    name,
    input,
  }));
  return [...results, ...said, ...calls];
}

/** The texts of results, by their call. */
export function resultTexts(messages: unknown): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const { content } of listOf(messages))
    for (const { type, tool_use_id: id, content: text } of listOf(content))
      if (type === 'tool_result' && typeof id === 'string' && typeof text === 'string') texts.set(id, text);
  return texts;
}
