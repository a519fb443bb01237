import { describe, expect, test } from 'vitest';
import type { IContent } from '../../../src/content/content.ts';
import type { Session } from '../../../src/formats/contract.ts';
import {
  copiedAnswers,
  copiedCalls,
  type FileCalls,
  sessionCalls,
  withCopied,
} from '../../../src/sessions/copies/copied-calls.ts';

const ai = (metadata: IContent['metadata'] = {}): IContent => ({ speaker: 'ai', blocks: [], metadata });
const human: IContent = { speaker: 'human', blocks: [] };
const sessionOf = (...contents: IContent[]): Session => ({
  format: 'test',
  events: contents.map((content) => ({ kind: 'add', content })),
  skipped: [],
});

const file = (path: string, names: string, times: readonly [start: number, end: number] = [1, 9]): FileCalls => ({
  path,
  names: [...names],
  startedAt: times[0],
  endedAt: times[1],
});
const copiedIn = (files: readonly FileCalls[], ours: readonly string[] = []): Record<string, unknown> =>
  Object.fromEntries(copiedCalls(files, (path) => ours.includes(path)));

describe('copied calls', () => {
  test.each<[string, readonly FileCalls[], readonly string[], Record<string, unknown>]>([
    [
      'the session that begins first owns a call',
      [file('b', 'ab', [1, 5]), file('a', 'abc', [2, 4])],
      [],
      { a: [[0, 2]] },
    ],
    [
      'of those that begin together, the one that ends first',
      [file('a', 'abc', [1, 5]), file('b', 'ab', [1, 4])],
      [],
      { a: [[0, 2]] },
    ],
    ['but never our own smaller copy', [file('a', 'abd', [1, 4]), file('b', 'abc', [1, 5])], ['a'], { a: [[0, 2]] }],
    ['of equal ones, the first by path', [file('b', 'ab'), file('a', 'ab')], [], { b: [[0, 2]] }],
    [
      'calls in the middle and at the end are found too',
      [file('a', 'bd'), file('b', 'abcd', [2, 9])],
      [],
      {
        b: [
          [1, 2],
          [3, 4],
        ],
      },
    ],
    ['a session that repeats its own call owns both', [file('a', 'aba')], [], {}],
    [
      'a session that continues a copy',
      [file('a', 'ab', [1, 2]), file('b', 'abc', [1, 3]), file('c', 'abcd', [1, 4])],
      [],
      { b: [[0, 2]], c: [[0, 3]] },
    ],
  ])('%s', (_rule, files, ours, copied) => {
    expect(copiedIn(files, ours)).toEqual(copied);
    expect(copiedIn(files.toReversed(), ours)).toEqual(copied);
  });

  test('have the provider’s name, else what an agent copies with them, else none', () => {
    const usage = { promptTokens: 7, completionTokens: 3, totalTokens: 10 };
    const session = sessionOf(
      human,
      ai({ answerId: 'msg req', timestamp: 5 }),
      ai({ timestamp: 6, model: 'm', usage }),
      ai(),
    );
    expect(sessionCalls(session)).toEqual({ names: ['msg req', '6 m 7 3 ', null], startedAt: 5 });
    const [one, other] = ['one', 'other'].map((path) => ({ path, ...sessionCalls(session) }));
    expect(copiedIn([one!, other!])).toEqual({ other: [[0, 2]] });
  });

  test('are marked with what is before them, beside what the recording itself says', () => {
    const session = sessionOf(human, ai({ id: '1' }), human, ai({ id: '2' }), human, ai({ id: '3' }), human);
    const marked = (calls: readonly (readonly [number, number])[], own = session): unknown =>
      withCopied(own, calls).copied;
    expect(marked([[0, 2]])).toEqual([[0, 4]]);
    expect(
      marked([
        [0, 1],
        [2, 3],
      ]),
    ).toEqual([
      [0, 2],
      [4, 6],
    ]);
    expect(marked([[1, 2]], { ...session, copied: [[0, 2]] })).toEqual([
      [0, 2],
      [2, 4],
    ]);
    expect(withCopied(session)).toBe(session);
    expect(copiedAnswers(withCopied(session, [[1, 3]])).map(({ metadata }) => metadata?.id)).toEqual(['2', '3']);
    // It became shorter since its calls were read.
    expect(marked([[0, 9]])).toEqual([]);
  });
});
