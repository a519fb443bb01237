import type { ToolCallBlock } from '../content.ts';
import type { ToolDefinition, ToolVocabulary } from '../vocabularies/vocabulary.ts';
import { sharedDefinition } from './shared-tools.ts';

/**
 * The definition of the tool that is called: the vocabulary's own, or else what all agents together mean by its name, if
 * the parameters fit. `undefined` for an unknown tool (docs/readings.md, row 26).
 */
export function toolDefinition(vocabulary: ToolVocabulary, call: ToolCallBlock): ToolDefinition | undefined {
  return Object.hasOwn(vocabulary.tools, call.name) ? vocabulary.tools[call.name] : sharedDefinition(call);
}
