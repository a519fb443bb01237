import type { ToolCallBlock } from '../content.ts';
import { innerCalls } from '../files/inner-calls.ts';
import { parsedTexts } from '../files/tool-parameters.ts';
import { isPowerShell, showsUnknownFiles } from '../shell/powershell-access.ts';
import { type ToolDefinition, type ToolRole, type ToolVocabulary, toolRole } from '../vocabularies/vocabulary.ts';
import { toolDefinition } from './tool-definition.ts';

/** What a call does; `other` for unknown tools and for scripts that are not understood but may show files. */
export function callRole(vocabulary: ToolVocabulary, call: ToolCallBlock): ToolRole {
  const definition = toolDefinition(vocabulary, call);
  if (definition?.parser === 'script' && !innerCalls(definition, call).isUnderstood) return 'other';
  return isUnknownScript(definition, call) ? 'other' : toolRole(definition, call.parameters);
}

/** True for PowerShell that shows files by variables, loops or expressions. */
function isUnknownScript(definition: ToolDefinition | undefined, { parameters }: ToolCallBlock): boolean {
  if (definition?.parser !== 'shell' && definition?.parser !== 'powershell') return false;
  return parsedTexts(definition, parameters).some((text) => {
    const script = typeof text === 'string' ? text : (text.at(-1) ?? '');
    return (definition.parser === 'powershell' || isPowerShell(script)) && showsUnknownFiles(script);
  });
}
