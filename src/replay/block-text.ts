import { errorOf } from '../content/calls/error-of.ts';
import type { ContentBlock, IContent } from '../content/content.ts';
import { jsonText } from '../content/json-text.ts';

const jsonOf = (value: unknown): string => (typeof value === 'string' ? value : [...jsonText(value)].join(''));

/** The text of a block for a person to read; a description of an image or file. */
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
      const error = errorOf(block);
      return error === undefined ? result : `${error}\n${result}`.trim();
    }
  }
}

/** The texts of all blocks of the entries, for a person to read. */
export const textOfEntries = (entries: readonly IContent[]): string =>
  entries
    .flatMap(({ blocks }) => blocks.map(textOfBlock))
    .filter((text) => text !== '')
    .join('\n\n');
