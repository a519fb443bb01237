import { describe, expect, test } from 'vitest';
import type { ContentBlock } from '../../src/content/content.ts';
import { findInclusions } from '../../src/content/inclusions.ts';

const END = '--- End of content ---';
const BANNER = '--- Content from referenced files ---';
const image: ContentBlock = { type: 'media', mimeType: 'image/png', data: 'AA', encoding: 'base64' };

const blocksOf = (...parts: (string | ContentBlock)[]): ContentBlock[] =>
  parts.map((part) => (typeof part === 'string' ? { type: 'text', text: part } : part));

/** `path start-end` of each inclusion, positions as `block:offset`. */
function found(...parts: (string | ContentBlock)[]): string[] {
  return findInclusions({ speaker: 'human', blocks: blocksOf(...parts) }).map(
    ({ path, start, end }) => `${path} ${start.block}:${start.offset}-${end.block}:${end.offset}`,
  );
}

describe('findInclusions in one block', () => {
  test('finds an opening line and its closing line (REQ-HD-006.1, BR-DEDUP-001)', () => {
    expect(found(`see\n--- src/a b.ts ---\nx\n${END}\nthanks`)).toEqual(['src/a b.ts 0:4-0:47']);
    expect(found(`--- a ---\r\nx\r\n${END}\r\n`)).toEqual(['a 0:0-0:36']);
  });

  test.each([
    ['no closing line', '--- a ---\nx'],
    ['no opening line', `x\n${END}`],
    ['an opening inside a line', `see --- a ---\nx\n${END}`],
    ['a closing inside a line', `--- a ---\nx ${END}`],
    ['the banner alone', `${BANNER}\nnothing found\n${END}`],
    ['an empty path', `---  ---\n${END}`],
    ['a header without a banner', `Content from @a:\nx\n${END}`],
  ])('%s is not an inclusion (REQ-HD-006.5, BR-DEDUP-004, EC-020, row 8)', (_, text) => {
    expect(found(text)).toEqual([]);
  });

  test('a header without its own closing line contains nothing (row 8)', () => {
    expect(found(`--- a ---\nwords\n--- b ---\nx\n${END}`)).toEqual(['b 0:16-0:50']);
    expect(found('--- a ---\nx', `y\n${END}`)).toEqual([]);
  });

  test('after a banner, the next header closes the previous one (row 8)', () => {
    expect(found(`go\n${BANNER}\nContent from @a:\nx\nContent from @b:\ny\n${END}\nbye`)).toEqual([
      'a 0:41-0:60',
      'b 0:60-0:79',
    ]);
    expect(found(`${BANNER}\nContent from @a:\nx\nContent from @b:\ny`)).toEqual(['a 0:38-0:57']);
  });
});

describe('findInclusions over blocks', () => {
  test('finds banner, headers, bodies and closing line in consecutive blocks (row 8)', () => {
    const parts = ['go', `\n${BANNER}`, '\nContent from @a:\n', 'x', '\nContent from @b:\n', image, `\n${END}`];
    expect(found(...parts)).toEqual(['a 2:0-4:0', 'b 4:0-6:0']);
  });

  test('bodies are not searched: only a first line opens and only a last line closes', () => {
    const body = `# Notes\nContent from @no:\n--- no ---\n${END}\nand on`;
    expect(found(`go\n${BANNER}`, 'Content from @a:\nfirst', body, `last\n${END}`)).toEqual(['a 1:0-3:5']);
  });

  test('the last header does not count without a closing line (REQ-HD-006.5)', () => {
    expect(found(BANNER, 'Content from @a:', 'x', 'Content from @b:', 'y')).toEqual(['a 1:0-3:0']);
    expect(found(BANNER, 'No files matching the criteria were found.')).toEqual([]);
    expect(
      found(BANNER, 'Content from @a:', { type: 'tool_response', callId: '1', toolName: 'x', result: 1 }, END),
    ).toEqual([]);
  });

  test('the other shape can precede a banner and follow a frame', () => {
    const one = `--- a ---\nx\n${END}`;
    expect(found(`${one}\n${BANNER}`, 'Content from @b:', 'x', END, one)).toEqual([
      'a 0:0-0:34',
      'b 1:0-3:0',
      'a 4:0-4:34',
    ]);
    expect(found(BANNER, BANNER, 'Content from @b:', 'x', END)).toEqual(['b 2:0-4:0']);
  });
});

test('a megabyte of dashes and headers is searched in linear time', () => {
  expect(found(`${END}${'--- '.repeat(300_000)}`)).toEqual([]);
  expect(found(`${'--- a ---\n'.repeat(100_000)}${END}`)).toHaveLength(1);
});
