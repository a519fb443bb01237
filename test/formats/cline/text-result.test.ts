import { describe, expect, test } from 'vitest';
import { stretches } from '../../../src/formats/cline/text-result.ts';

const parts = (text: string): string[] =>
  stretches(text, 0).map(({ isFeedback, start, end }) => `${isFeedback ? 'user' : 'tool'} ${text.slice(start, end)}`);

describe('user feedback in the result of a tool', () => {
  test('contains the sentence before it, and ends at the first closing tag', () => {
    const first = 'The user denied this operation.\n<feedback>\nNo!\n</feedback>\n';
    const second = '<feedback>Why <feedback>?</feedback>';
    expect(parts(`Done.\n${first}More. The user left.\n${second}`)).toEqual([
      'tool Done.\n',
      `user ${first}`,
      'tool More. The user left.\n',
      `user ${second}`,
    ]);
  });

  test('has an end: without one, it is text of the tool', () => {
    expect(parts('</feedback><feedback>\nfrom a file')).toEqual(['tool </feedback><feedback>\nfrom a file']);
  });

  test('is looked for once in a text of megabytes that repeats its beginning', () => {
    for (const repeated of ['<feedback>', '</feedback><feedback>\n', 'The user ', 'The user x\n']) {
      const text = repeated.repeat(400_000);
      expect(parts(text).join('').length, repeated).toBeGreaterThan(text.length);
    }
  });
});
