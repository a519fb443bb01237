import type { ContentBlock, IContent } from '../content/content.ts';
import { jsonText } from '../tokens/json-text.ts';

const jsonOf = (value: unknown): string => (typeof value === 'string' ? value : [...jsonText(value)].join(''));

/** What a block says, for a person to read; of an image or file what it is. */
function textOfBlock(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'thinking':
      return block.thought;
    case 'code':
      return block.code;
    case 'media':
      return `[${[block.filename, block.mimeType, block.caption].filter(Boolean).join(', ')}]`;
    case 'tool_call':
      return `${block.name} ${jsonOf(block.parameters)}`;
    case 'tool_response': {
      const result = block.result === undefined || block.result === null ? '' : jsonOf(block.result);
      return block.error === undefined ? result : `${block.error}\n${result}`.trim();
    }
  }
}

/** What entries say, one block after the other, for a person to read. */
export const textOfEntries = (entries: readonly IContent[]): string =>
  entries
    .flatMap(({ blocks }) => blocks.map(textOfBlock))
    .filter((text) => text !== '')
    .join('\n\n');
