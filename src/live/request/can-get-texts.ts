import type { IContent } from '../../content/content.ts';
import { isRecord } from '../../content/foreign-value.ts';
import { mayRunCommands } from '../../content/tools/tool-definition.ts';
import { plainToolName } from '../../content/tools/tool-name.ts';
import type { ToolVocabulary } from '../../content/vocabularies/vocabulary.ts';
import type { RequestList } from './request-list.ts';

/** Where APIs put a list of tools, or what names one, in a tool. */
const INNER = ['function', 'functionDeclarations', 'function_declarations', 'tools', 'toolSpec'];

/** The names of the tools of a request; a tool that its provider hosts has its type as its name. */
function toolNames(tools: unknown): string[] {
  if (Array.isArray(tools)) return tools.flatMap(toolNames);
  if (!isRecord(tools)) return [];
  const { name, type } = tools;
  const own = typeof name === 'string' ? name : typeof type === 'string' && type !== 'function' ? type : [];
  return [own, ...INNER.map((key) => toolNames(tools[key]))].flat();
}

/** The tool of our MCP server, whatever an agent puts before its name. */
const isRecall = (name: string): boolean => name.includes('density') && plainToolName(name).endsWith('recall');

const calledNames = ({ blocks }: IContent): readonly string[] =>
  blocks.flatMap((block) => (block.type === 'tool_call' ? block.name : []));

interface Reader {
  readonly entries: readonly IContent[];
  readonly vocabulary: ToolVocabulary;
}

/**
 * True if the reader of a request can get a text of the archive: a tool runs commands, or is our own. Where the request names no
 * tools, as a plain list of messages, its calls show which there are.
 */
export function canGetTexts(list: RequestList, { entries, vocabulary }: Reader): boolean {
  const named = toolNames(list.wholeField('tools'));
  const names = named.length > 0 ? named : entries.flatMap(calledNames);
  return names.some((name) => isRecall(name) || mayRunCommands(vocabulary, name));
}
