import { expect, test } from 'vitest';
import type { IContent } from '../../src/content/content.ts';
import { compressedEntries } from '../../src/strategies/changed-entries.ts';

const result = (callId: string, text: string, id?: string): IContent => ({
  speaker: 'tool',
  blocks: [{ type: 'tool_response', callId, toolName: 'read_file', result: text }],
  ...(id !== undefined && { metadata: { id } }),
});

test('a new entry replaces one old entry, although both results have the same call id', () => {
  const first = result('1', 'one', 'a');
  const second = result('1', 'two', 'b');
  const shortened = { ...second, blocks: result('1', 'short').blocks };
  const entries = compressedEntries([first, second], [shortened], 'high-density');
  expect(entries.map(({ before, after }) => [before, after])).toEqual([
    [first, undefined],
    [second, shortened],
  ]);
});

test('entries without metadata are matched by the ids of their calls, in order', () => {
  const first = result('1', 'one');
  const second = result('1', 'two');
  const short = result('1', 'o');
  const shorter = result('1', 't');
  const entries = compressedEntries([first, second], [short, shorter], 'high-density');
  expect(entries.map(({ after }) => after)).toEqual([short, shorter]);
});

test('of fewer results than there were with one id, nobody knows which are left', () => {
  const two = [result('1', 'one'), result('1', 'two')];
  const entries = compressedEntries(two, [result('1', 't')], 'high-density');
  expect(entries.map(({ after }) => after)).toEqual([undefined, undefined]);
  const blocks = two.flatMap((entry) => entry.blocks);
  const together: IContent = { speaker: 'tool', blocks, metadata: { id: 'a' } };
  const replacementsIn = (...texts: readonly string[]) => {
    const after = { ...together, blocks: texts.flatMap((text) => result('1', text).blocks) };
    return compressedEntries([together], [after], 'high-density')[0]?.blocks.map(({ replacement }) => replacement);
  };
  expect(replacementsIn('o', 't')).toEqual([...result('1', 'o').blocks, ...result('1', 't').blocks]);
  expect(replacementsIn('t')).toEqual([undefined, undefined]);
});
