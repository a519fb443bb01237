import type { ToolCallBlock } from '../content.ts';
import { innerCalls } from '../files/inner-calls.ts';
import { type ToolRole, type ToolVocabulary, toolRole } from '../vocabularies/vocabulary.ts';
import { toolDefinition } from './tool-definition.ts';

/** What a call does; `other` for unknown tools and for scripts that are not understood. */
export function callRole(vocabulary: ToolVocabulary, call: ToolCallBlock): ToolRole {
  const definition = toolDefinition(vocabulary, call);
  if (definition?.parser === 'script' && !innerCalls(definition, call).isUnderstood) return 'other';
  return toolRole(definition, call.parameters);
}
