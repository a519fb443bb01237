import type { ContentBlock } from './content.ts';

/** Values nested deeper than this hold no text that a model was meant to read. */
const MOST_LEVELS = 32;

/** Every text that a model reads in a block, in order: parameters and results value by value, media not at all. */
export function blockTexts(block: ContentBlock): readonly string[] {
  switch (block.type) {
    case 'text':
      return [block.text];
    case 'code':
      return [block.code];
    case 'thinking':
      return [block.thought];
    case 'media':
      return [];
    case 'tool_call':
      return textsIn(block.parameters);
    case 'tool_response':
      return block.error === undefined ? textsIn(block.result) : [...textsIn(block.result), block.error];
  }
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  const texts: string[] = [];
  collect(value, MOST_LEVELS, texts);
  return texts;
}

function collect(value: unknown, levels: number, texts: string[]): void {
  if (typeof value === 'string') texts.push(value);
  else if (typeof value === 'number') texts.push(String(value));
  else if (typeof value === 'object' && value !== null && levels > 0) {
    for (const part of fieldsOf(value)) collect(part, levels - 1, texts);
  }
}

/** The values of an object; none where reading them throws, as a getter or a proxy may (REQ-HD-013.5). */
function fieldsOf(value: object): readonly unknown[] {
  try {
    return Object.values(value);
  } catch {
    return [];
  }
}
