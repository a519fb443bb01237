import type { ToolCallBlock } from '../content.ts';
import { scriptCalls } from '../shell/script-calls.ts';
import { codex } from '../vocabularies/codex.ts';
import type { ToolDefinition } from '../vocabularies/vocabulary.ts';
import { parsedTexts } from './tool-parameters.ts';

/** The calls of tools that a script certainly makes; `isUnderstood`: it does nothing else. */
export interface InnerCalls {
  readonly calls: readonly { readonly call: ToolCallBlock; readonly definition: ToolDefinition }[];
  readonly isUnderstood: boolean;
}

/** The calls in the scripts of a call whose definition has the parser `script`. Source: Codex with gpt-5.6. */
export function innerCalls(definition: ToolDefinition, { id, parameters }: ToolCallBlock): InnerCalls {
  const calls: InnerCalls['calls'][number][] = [];
  const texts = parsedTexts(definition, parameters);
  let isUnderstood = texts.length > 0;
  for (const text of texts) {
    const script = scriptCalls(typeof text === 'string' ? text : text.join(' '));
    isUnderstood &&= script.isUnderstood;
    for (const { name, parameters: inner } of script.calls) {
      const tool = Object.hasOwn(codex.tools, name) ? codex.tools[name] : undefined;
      if (tool === undefined || tool.parser === 'script') isUnderstood = false;
      else calls.push({ call: { type: 'tool_call', id, name, parameters: inner }, definition: tool });
    }
  }
  return { calls, isUnderstood };
}
