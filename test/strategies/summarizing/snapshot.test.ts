import { describe, expect, test } from 'vitest';
import {
  isSnapshotEntry,
  readSnapshot,
  snapshotEntry,
  snapshotText,
} from '../../../src/strategies/summarizing/snapshot.ts';
import { human } from '../conversation.ts';

const read = (answer: string, isTruncated = false): string => readSnapshot(answer, { strategy: 's', isTruncated });

describe('a snapshot', () => {
  test.each([
    ['<state_snapshot>\n<a>x</a>\n</state_snapshot>', '<a>x</a>'],
    ['<scratchpad>hm</scratchpad>\n<state_snapshot>x</state_snapshot> Done!', 'x'],
    ['Here it is.\nx y', 'Here it is.\nx y'],
    ['<state_snapshot>a <state_snapshot>b</state_snapshot> c</state_snapshot>', 'a b c'],
  ])('is read out of %j', (answer, inside) => {
    expect(read(answer)).toBe(inside);
  });

  test('that is whole is accepted although the answer stopped at the limit', () => {
    expect(read('<state_snapshot>x</state_snapshot> and the', true)).toBe('x');
  });

  test.each(['', '  \n', '<state_snapshot></state_snapshot>', '<state_snapshot><a>\n</a><b></b></state_snapshot>'])(
    'that says nothing is refused (%j)',
    (answer) => {
      expect(() => read(answer)).toThrow(expect.objectContaining({ code: 'EMPTY_SUMMARY', name: 'EmptySummaryError' }));
    },
  );

  test.each([
    ['<state_snapshot><a>x', false],
    ['<state_snapshot><a>x', true],
    ['x', true],
    ['<scratchpad>I think', false],
  ])('that breaks off is refused (%j, at the limit: %s)', (answer, isTruncated) => {
    expect(() => read(answer, isTruncated)).toThrow(expect.objectContaining({ code: 'TRUNCATED_SUMMARY' }));
  });

  test('is recognised as an entry, also if a format lost its metadata', () => {
    const entry = snapshotEntry('<a>x</a>', ['A note.']);
    expect(entry.metadata).toMatchObject({ isSummary: true });
    expect(isSnapshotEntry(entry)).toBe(true);
    expect(isSnapshotEntry({ speaker: entry.speaker, blocks: entry.blocks })).toBe(true);
    expect(snapshotText(entry)).toBe('<a>x</a>\n\n\nA note.');
    expect(isSnapshotEntry(human('What is a <state_snapshot>?'))).toBe(false);
  });
});
