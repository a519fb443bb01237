import { describe, expect, it } from 'vitest';
import { blockLineMarks } from '../../src/content/block-lines.ts';
import type { ContentBlock } from '../../src/content/content.ts';
import { lineMark } from '../../src/content/line-marks.ts';

describe('blockLineMarks', () => {
  it('gives the marks of the lines in all texts of a block, in order', () => {
    const call: ContentBlock = {
      type: 'tool_call',
      id: 'hist_tool_1',
      name: 'write_file',
      parameters: { path: 'src/total.ts', lines: ['let total = 0;\n}', '  let total = 0;'] },
    };
    expect(blockLineMarks(call)).toEqual(['src/total.ts', 'let total = 0;', 'let total = 0;'].map(lineMark));
  });

  it('looks at a block once', () => {
    const block: ContentBlock = { type: 'text', text: 'the first line\nthe second line' };
    expect(blockLineMarks(block)).toBe(blockLineMarks(block));
  });
});
