import type { ContentBlock } from '../../content/content.ts';

/** The tokens of blocks, estimated by their length: for what is a matter of thousands. */
export function estimatedTokens(blocks: readonly ContentBlock[]): number {
  return Math.ceil(blocks.reduce((sum, block) => sum + blockCharacters(block), 0) / CHARACTERS_PER_TOKEN);
}

export const CHARACTERS_PER_TOKEN = 4;
const MEDIA_CHARACTERS = 6000;

function blockCharacters(block: ContentBlock): number {
  switch (block.type) {
    case 'text':
      return block.text.length;
    case 'code':
      return block.code.length;
    case 'thinking':
      return block.thought.length;
    case 'media':
      return MEDIA_CHARACTERS;
    case 'tool_call':
      return jsonLength(block.parameters);
    case 'tool_response':
      return jsonLength(block.result);
  }
}

const jsonLength = (value: unknown): number =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).length;
