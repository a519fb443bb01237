import { anyAgent, type ToolDefinition, type ToolRole, type ToolVocabulary } from '../vocabularies/vocabulary.ts';

/** One's own tools by name. */
export type OwnTools = ToolVocabulary['tools'];

/** A tool in one word, as `read=my_read:path`: its role, its name, and the parameters that may name its files or texts. */
// Bounded text: a setting that a person writes.
const OWN_TOOL = /^(read|write|search|shell|other)=([^\s,=:+]+)(?::([^\s,=:+]+(?:\+[^\s,=:+]+)*))?$/;

/** Several of them with commas between. */
export const OWN_TOOLS =
  // Bounded text: a setting that a person writes.
  /^\s*(?:(?:read|write|search|shell)=[^\s,=:+]+:|other=)[^\s,=:+]+(?:\+[^\s,=:+]+)*\s*(?:,\s*(?:(?:read|write|search|shell)=[^\s,=:+]+:|other=)[^\s,=:+]+(?:\+[^\s,=:+]+)*\s*)*$/;

/** A vocabulary in which one's own tools decide before those of `vocabulary`; tools in neither are known by shape. */
export function vocabularyWith(tools: OwnTools, vocabulary: ToolVocabulary = anyAgent): ToolVocabulary {
  const all = [...Object.entries(vocabulary.tools), ...Object.entries(tools)];
  return { ...vocabulary, name: `${vocabulary.name}, own tools`, tools: Object.fromEntries(all) };
}

/** The vocabulary with the tools that a setting lists; itself if it lists none. What is no tool is left out. */
export function vocabularyWithListed(listed: readonly string[], vocabulary: ToolVocabulary): ToolVocabulary {
  const tools = listed.flatMap((text) => ownTool(text) ?? []);
  return tools.length === 0 ? vocabulary : vocabularyWith(Object.fromEntries(tools), vocabulary);
}

function ownTool(text: string): [name: string, definition: ToolDefinition][] | undefined {
  const [, role, name, keys] = OWN_TOOL.exec(text) ?? [];
  if (name === undefined || (keys === undefined && role !== 'other')) return undefined;
  return [[name, definitionOf(role as ToolRole, keys?.split('+') ?? [])]];
}

/** Nothing is known of a shell's directory between calls. */
function definitionOf(role: ToolRole, keys: readonly string[]): ToolDefinition {
  if (role === 'shell') return { role, parser: 'shell', textKeys: keys, keepsDirectory: true };
  return role === 'search' ? { role, textKeys: keys } : { role, pathKeys: keys };
}
