import { describe, expect, test } from 'vitest';
import { adjustForToolCallBoundary, pairGroups, pairSafeIndex } from '../../../src/content/calls/boundary.ts';
import { createToolResponse, createUserMessage, type IContent } from '../../../src/content/content.ts';

const human = createUserMessage('go on');
const ai = (...ids: string[]): IContent => ({
  speaker: 'ai',
  blocks: ids.map((id) => ({ type: 'tool_call', id, name: 'grep', parameters: {} })),
});
const tool = (id: string): IContent => createToolResponse(id, 'grep', 'found');
/** Two parallel calls answered by two entries, between two turns. */
const PARALLEL = [human, ai('a', 'b'), tool('a'), tool('b'), human, ai()];

describe('adjustForToolCallBoundary', () => {
  test('moves forward over tool entries', () => {
    expect(adjustForToolCallBoundary(PARALLEL, 2)).toBe(4);
    expect(adjustForToolCallBoundary(PARALLEL, 3)).toBe(4);
  });

  test('moves one back if the entry before has unanswered calls', () => {
    expect(adjustForToolCallBoundary([human, ai('a'), human, tool('a')], 2)).toBe(1);
  });

  test('searches backward when only tool entries follow', () => {
    expect(adjustForToolCallBoundary([human, ai('a', 'b'), tool('a'), tool('b')], 3)).toBe(1);
  });

  test('keeps an index that splits nothing, and both ends', () => {
    expect([0, 1, 4, 6].map((index) => adjustForToolCallBoundary(PARALLEL, index))).toEqual([0, 1, 4, 6]);
    expect(adjustForToolCallBoundary([tool('a')], 5)).toBe(1);
    expect(adjustForToolCallBoundary([], 3)).toBe(0);
  });
});

describe('pairSafeIndex', () => {
  test('finds the nearest cut in either direction over interleaved calls', () => {
    const history = [human, ai('a'), human, ai('b'), tool('a'), human, tool('b'), human];
    const earlier = [0, 1, 2, 5, 7, 8].map((index) => pairSafeIndex(history, index, { direction: 'earlier' }));
    const later = [0, 1, 2, 5, 7, 8].map((index) => pairSafeIndex(history, index, { direction: 'later' }));
    expect(earlier).toEqual([0, 1, 1, 1, 7, 8]);
    expect(later).toEqual([0, 1, 7, 7, 7, 8]);
  });
});

describe('pairGroups', () => {
  test('puts entries that pairs connect into one group, identified by its first entry', () => {
    expect([...pairGroups(PARALLEL)]).toEqual([0, 1, 1, 1, 4, 5]);
    expect([...pairGroups([ai('a'), ai('b'), tool('b'), tool('a')])]).toEqual([0, 1, 1, 0]);
    const chained = [
      ai('a'),
      ai('b'),
      { speaker: 'tool', blocks: [...tool('a').blocks, ...tool('b').blocks] } as const,
    ];
    expect([...pairGroups(chained)]).toEqual([0, 0, 0]);
  });
});
