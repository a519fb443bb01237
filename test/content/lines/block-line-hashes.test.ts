import { describe, expect, it } from 'vitest';
import type { ContentBlock } from '../../../src/content/content.ts';
import { blockLineHashes } from '../../../src/content/lines/block-line-hashes.ts';
import { lineHash } from '../../../src/content/lines/line-hash.ts';

describe('blockLineHashes', () => {
  it('returns the hashes of the lines of all texts of a block, in order', () => {
    const call: ContentBlock = {
      type: 'tool_call',
      id: 'hist_tool_1',
      name: 'write_file',
      parameters: { path: 'src/total.ts', lines: ['let total = 0;\n}', '  let total = 0;'] },
    };
    expect(blockLineHashes(call)).toEqual(['src/total.ts', 'let total = 0;', 'let total = 0;'].map(lineHash));
  });

  it('searches a block once', () => {
    const block: ContentBlock = { type: 'text', text: 'the first line\nthe second line' };
    expect(blockLineHashes(block)).toBe(blockLineHashes(block));
  });
});
