import { describe, expect, test } from 'vitest';
import type { CallPlace } from '../../../src/strategies/reasons/call-place.ts';
import { type EditReason, explainReason } from '../../../src/strategies/reasons/edit-reason.ts';

const place = (callId: string): CallPlace => ({ entry: 0, block: 0, callId });
const cause = (callId: string, file = '/repo/a.ts') => ({ file, call: place(callId) });
const read = place('r');

describe('the sentence of a reason', () => {
  test.each<[string, EditReason]>([
    ['a.ts was written later by call w', { rule: 'staleRead', read, causes: [cause('w')] }],
    [
      'a.ts was written later by call w and b.ts was written later by call v',
      { rule: 'staleRead', read, causes: [cause('w'), cause('v', '/repo/b.ts')] },
    ],
    ['a.ts is shown again later by call r2', { rule: 'supersededRead', read, causes: [cause('r2')] }],
    [
      'lines 1-4, 9-12 and 20 were changed or shown again later by call w and call r2',
      {
        rule: 'changedLines',
        read,
        lines: [
          { first: 1, last: 4 },
          { first: 9, last: 12 },
          { first: 20, last: 20 },
        ],
        causes: [cause('w'), cause('r2')],
      },
    ],
    [
      'line 3 was changed or shown again later by call w',
      { rule: 'changedLines', read, lines: [{ first: 3, last: 3 }], causes: [cause('w')] },
    ],
    [
      'a.ts was attached again later',
      {
        rule: 'repeatedInclusion',
        file: '/repo/a.ts',
        path: 'a.ts',
        inclusion: { entry: 0, start: { block: 0, offset: 0 }, end: { block: 0, offset: 9 } },
        again: { entry: 4, block: 0 },
      },
    ],
    ['only the newest result of glob is kept', { rule: 'recency', tool: 'glob', retention: 1 }],
    ['only the newest 3 results of glob are kept', { rule: 'recency', tool: 'glob', retention: 3 }],
    ['it was sent with at least 3 model calls', { rule: 'carriedResult', call: read, files: [], leastSentCalls: 3 }],
    [
      'it was sent with at least 9 model calls since the last call that touched a.ts',
      { rule: 'carriedResult', call: read, files: ['/repo/a.ts'], leastSentCalls: 9 },
    ],
    ['shortened by high-density to make room', { rule: 'summarised', strategy: 'high-density' }],
    ['dropped by one-shot to make room', { rule: 'dropped', strategy: 'one-shot' }],
  ])('%s', (sentence, reason) => {
    const call = ({ callId }: CallPlace): string => `call ${callId}`;
    expect(explainReason(reason, { call, file: (path) => path.replace('/repo/', '') })).toBe(sentence);
  });

  test('names files by their absolute path where nobody says otherwise', () => {
    const call = (): string => 'it';
    expect(explainReason({ rule: 'staleRead', read, causes: [cause('w')] }, { call })).toContain('/repo/a.ts was');
  });
});
