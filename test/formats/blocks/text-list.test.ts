import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contentText, textChanges, withText } from '../../../src/formats/blocks/text-list.ts';
import { spliceJson } from '../../../src/formats/json/json-splice.ts';
import { runs } from '../../property-runs.ts';

const text = (words: string): object => ({ type: 'input_text', text: words });
const PICTURE = { type: 'input_image', image_url: 'data:image/png;base64,AAAA' };

describe('a list of texts', () => {
  test.each([
    ['a header is kept', ['Done\n', 'one\ntwo\nthree'], 'Done\n\n[2 lines]\nthree', ['Done\n', '[2 lines]\nthree']],
    ['an end is kept', ['one\ntwo', 'the end'], '[2 lines]\nthe end', ['[2 lines]', 'the end']],
    ['each text keeps what is left of it', ['a\nb\nc', 'd\ne\nf'], 'a\n[2]\n[2]\nf', ['a\n[2]\n[2]', 'f']],
    ['each text keeps its own lines', ['a\nb\nc', 'd\ne\nf'], '[1]\nb\nc\nd\n[2]', ['[1]\nb\nc', 'd\n[2]']],
    ['a text without any line left is removed', ['a\nb', 'c\nd'], '[all]', ['[all]']],
    ['so is one of which a blank is left', ['a', 'b\n', 'c'], '[all]\n\nc', ['[all]', 'c']],
    ['an empty text stays', ['Done', ''], '[1]\n', ['[1]', '']],
  ])('%s', (_, before, changed, after) => {
    expect(withText(before.map(text), changed)).toEqual(after.map(text));
  });

  test('keeps its pictures, as the same objects at their places among the texts', () => {
    const changed = withText([text('a\nb'), PICTURE, text('c\nd'), PICTURE], 'a\nd') as object[];
    expect(changed).toEqual([text('a'), PICTURE, text('d'), PICTURE]);
    expect(changed[1]).toBe(PICTURE);
  });

  test('gets a text if it has none', () => {
    expect(withText([PICTURE], 'a', 'input_text')).toEqual([text('a'), PICTURE]);
  });

  test('has all lines of the text that it was given but blank ones, in an object as in bytes', () => {
    const line = fc.constantFrom('', ' ', 'a', 'b', '}', '[2 lines]');
    const words = fc.array(line, { minLength: 1, maxLength: 6 }).map((lines) => lines.join('\n'));
    const part = fc.oneof(words.map(text), fc.constant(PICTURE));
    const parts = fc.array(part, { maxLength: 5 }).filter((list) => contentText(list) !== undefined);
    fc.assert(
      fc.property(parts, words, (list, changed) => {
        const after = withText(list, changed) as object[];
        const bytes = spliceJson(Buffer.from(JSON.stringify(list)), textChanges(list, changed));
        expect(JSON.parse(Buffer.from(bytes).toString())).toEqual(after);
        expect(after.filter((one) => one === PICTURE)).toHaveLength(list.filter((one) => one === PICTURE).length);
        const lines = (content = '') => content.split('\n').filter((line) => line.trim() !== '');
        expect(lines(contentText(after))).toEqual(lines(changed));
      }),
      { numRuns: runs(500) },
    );
  });
});
