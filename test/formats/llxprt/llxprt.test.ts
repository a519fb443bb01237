import { describe, expect, test } from 'vitest';
import type { IContent } from '../../../src/content/content.ts';
import { llxprt } from '../../../src/formats/llxprt/llxprt.ts';
import { historyOf, rewritten } from '../../contracts/format.ts';
import { llxprtSample, recording, start, text } from '../llxprt-fixture.ts';
import { session, steps, words } from '../words.ts';

const [PLAIN = '', CHANGED = ''] = llxprtSample.texts;
const note: IContent = { speaker: 'human', blocks: [{ type: 'text', text: 'New.' }] };
const numbers = (file: string): number[] =>
  file
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { seq: number }).seq);
const isRising = (values: readonly number[]): boolean =>
  values.every((value, index) => index === 0 || value > (values[index - 1] ?? 0));

describe('LLxprt recordings', () => {
  test('follow what was rewound and compressed', () => {
    expect(steps(session(llxprt, CHANGED).events)).toEqual([
      'human Read a.ts.',
      'ai Read.',
      'human Not that.',
      ['human Read a.ts.', 'ai Read.'],
      'human And b.ts.',
      ['human They read.', 'human And b.ts.'],
      'ai Read too.',
    ]);
    expect(session(llxprt, PLAIN)).toMatchObject({ id: 's-1', model: 'model-x', workspaceRoot: '/repo/demo' });
  });

  test('list a content that is no entry, and use the others', () => {
    const read = session(llxprt, recording(start, text('human', 'Hello'), ['content', { content: { speaker: 'x' } }]));
    expect(read.skipped).toEqual([{ line: 3, reason: 'expected `speaker` human, ai or tool' }]);
    expect(read.events).toHaveLength(1);
  });

  test('take new entries in their place, with numbers that rise from 1', () => {
    for (const file of [PLAIN, CHANGED]) {
      const history = historyOf(llxprt, file);
      for (let place = file === CHANGED ? 1 : 0; place <= history.length; place++) {
        const after = [...history.slice(0, place), note, ...history.slice(place)];
        const written = rewritten(llxprt, file, after);
        expect(words(historyOf(llxprt, written))).toEqual(words(after));
        expect(numbers(written)[0]).toBe(1);
        expect(isRising(numbers(written))).toBe(true);
      }
    }
  });

  test('keep the line of a removed summary, so that what it replaces does not return', () => {
    const [, ...rest] = historyOf(llxprt, CHANGED);
    const written = rewritten(llxprt, CHANGED, [note, ...rest]);
    expect(words(historyOf(llxprt, written))).toEqual(['human New.', 'human And b.ts.', 'ai Read too.']);
    expect(() => rewritten(llxprt, CHANGED, [note, ...historyOf(llxprt, CHANGED)])).toThrow(
      /be first or to be removed/,
    );
  });
});
