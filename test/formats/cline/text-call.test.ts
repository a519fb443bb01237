import { describe, expect, test } from 'vitest';
import { textCalls } from '../../../src/formats/cline/text-call.ts';

const NOTE = '[Response interrupted by a tool use result. One tool at a time.]';
const LIST = '<list_files><path>src</path></list_files>';

describe('calls as XML in an answer', () => {
  test('contain the white space around them at the ends of the text, and the note of a cut answer', () => {
    const text = ` \n${LIST}\nThen <ask>\n${LIST}\n${NOTE}\n`;
    expect(textCalls(text).map(({ start, end }) => text.slice(start, end))).toEqual([
      ` \n${LIST}`,
      `${LIST}\n${NOTE}\n`,
    ]);
  });

  test('keep a closing tag that is part of a free text', () => {
    const [call] = textCalls(
      '<write_to_file><path><content></path><content>\n<content></content>\n</content></write_to_file>',
    );
    expect(call?.parameters).toEqual({ path: '<content>', content: '<content></content>' });
  });

  test.each([
    ['white space after many calls', `${LIST.repeat(20_000)}${' '.repeat(2_000_000)}`, 20_000],
    ['notes without an end', `${LIST}${NOTE.slice(0, -1)}`.repeat(20_000), 20_000],
    ['calls without an end', '<list_files>'.repeat(200_000), 1],
    ['parameters without an end', `<list_files>${'<a>'.repeat(500_000)}`, 1],
  ])('are found in one pass: %s', (_, text, count) => {
    expect(textCalls(text)).toHaveLength(count);
  });
});
