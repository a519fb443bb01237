import type { ContentBlock, IContent, ToolCallBlock, ToolResponseBlock } from '../../src/content/content.ts';
import type { DensityConfig } from '../../src/strategies/contract.ts';

/** Every phase switched off. */
export const ALL_OFF: DensityConfig = {
  readWritePruning: false,
  fileDedupe: false,
  recencyPruning: false,
  recencyRetention: 3,
  workspaceRoot: '/repo',
};

export const text = (words: string): ContentBlock => ({ type: 'text', text: words });

export const image: ContentBlock = { type: 'media', mimeType: 'image/png', data: 'AA', encoding: 'base64' };

/** A call; a bare string is the path it names, a quoted one is the parameter itself. */
export function call(id: string, name: string, parameters: unknown): ToolCallBlock {
  const path = typeof parameters === 'string' && !parameters.startsWith('"') ? { file_path: parameters } : parameters;
  return { type: 'tool_call', id, name, parameters: path };
}

export function response(callId: string, toolName: string, more: Partial<ToolResponseBlock> = {}): ToolResponseBlock {
  return { type: 'tool_response', callId, toolName, result: `result of ${callId}`, ...more };
}

export const human = (...blocks: (ContentBlock | string)[]): IContent => entry('human', blocks);
export const ai = (...blocks: (ContentBlock | string)[]): IContent => entry('ai', blocks);
export const tool = (...blocks: (ContentBlock | string)[]): IContent => entry('tool', blocks);

/** A call in an ai entry and its response in a tool entry. */
export function exchange(
  id: string,
  name: string,
  parameters: unknown,
  more: Partial<ToolResponseBlock> = {},
): IContent[] {
  return [ai(call(id, name, parameters)), tool(response(id, name, more))];
}

function entry(speaker: IContent['speaker'], blocks: readonly (ContentBlock | string)[]): IContent {
  return { speaker, blocks: blocks.map((block) => (typeof block === 'string' ? text(block) : block)) };
}
