import type { ToolCallBlock } from '../../../../content/content.ts';
import { vocabularyWith } from '../../../../content/tools/own-tools.ts';
import { toolDefinition } from '../../../../content/tools/tool-definition.ts';
import { VOCABULARIES } from '../../../../content/vocabularies/index.ts';
import type { ToolDefinition, ToolVocabulary } from '../../../../content/vocabularies/vocabulary.ts';
import type { Ephemerals } from '../../../../strategies/contract.ts';
import { toolsInForce } from '../../../options/tools-in-force.ts';
import { quoted, UsageError } from '../../../terminal/terminal.ts';

/** What a person says of the call that printed a text. */
export interface SaidOfCall {
  readonly tool?: string | undefined;
  readonly command?: string | undefined;
}

/** A call, and the vocabulary by which its tool is known. */
export interface PrintingCall {
  readonly call: ToolCallBlock;
  readonly vocabulary: ToolVocabulary;
}

/** The shell of Claude Code: without a command nothing is known of what it printed. */
const DEFAULT_TOOL = 'Bash';

/**
 * The call that printed a text. Its tool is what the settings say, else what an agent means by its name. Nothing says
 * whether it failed, so its text decides, as in the formats that say nothing of it.
 * @throws UsageError for a command of a tool that runs none.
 */
export function printingCall({ tool = DEFAULT_TOOL, command }: SaidOfCall, ephemerals: Ephemerals): PrintingCall {
  const known = definitionNamed(tool);
  const vocabulary = toolsInForce(vocabularyWith(known === undefined ? {} : { [tool]: known }), ephemerals);
  const definition = Object.hasOwn(vocabulary.tools, tool) ? vocabulary.tools[tool] : undefined;
  const { textKeys = [], listKeys = [] } = definition ?? {};
  const key = textKeys[0] ?? listKeys[0] ?? 'command';
  const parameters = command === undefined ? {} : { [key]: command };
  const call: ToolCallBlock = { type: 'tool_call', id: 'call-1', name: tool, parameters };
  if (command !== undefined && !runsCommands(toolDefinition(vocabulary, call))) {
    throw new UsageError(
      `Expected a tool that runs commands beside --command, got --tool ${quoted(tool)}. Leave one of both out, or say that it does: --tools shell=${quoted(tool)}:command.`,
    );
  }
  return { call, vocabulary };
}

/** True if a parameter of a tool is a command of a shell. */
const runsCommands = (definition: ToolDefinition | undefined): boolean =>
  definition?.parser === 'shell' || definition?.parser === 'powershell';

/** What an agent means by a tool of this name; the one that says how to read what it runs comes first. */
function definitionNamed(tool: string): ToolDefinition | undefined {
  const all = [...VOCABULARIES.values()].flatMap(({ tools }) => (Object.hasOwn(tools, tool) ? [tools[tool]!] : []));
  return all.find(({ parser }) => parser !== undefined) ?? all[0];
}
