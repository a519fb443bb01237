import { describe, expect, test } from 'vitest';
import { countCopies } from '../../src/guard/count-copies.ts';
import { markerLines } from '../../src/guard/marker-lines.ts';
import { noticeOf, refusalOf } from '../../src/guard/refusal.ts';
import { ai, call, human, response, tool } from '../strategies/conversation.ts';
import { DISGUISES } from './markers.ts';

const COPY = {
  marker: '[density: Read a.ts, removed; full text: density show 07ff8c5d1eea]',
  standsFor: 'Read a.ts, removed',
};

test('copies are counted by what results say was done about them', () => {
  const write = (id: string) => ai(call(id, 'write', { path: 'b.ts', content: COPY.marker }));
  const history = [
    human('go'),
    write('1'),
    tool(response('1', 'write', { result: '', error: refusalOf(COPY) })),
    write('2'),
    tool(response('2', 'write', { result: 'Written.' })),
    ai(call('3', 'bash', { command: 'cat > c.ts' })),
    tool(response('3', 'bash', { result: `\n${noticeOf(COPY)}` })),
  ];
  expect(countCopies(history)).toEqual({ refused: 1, told: 1, passed: 1 });
  expect(countCopies(history.slice(0, 2))).toEqual({ refused: 0, told: 0, passed: 0 });
});

test('calls of one answer with one id are not taken for each other', () => {
  const write = (path: string) => call('1', 'write', { path, content: COPY.marker });
  const history = [
    human('go'),
    ai(write('b.ts'), write('c.ts')),
    tool(
      response('1', 'write', { result: '', error: refusalOf(COPY) }),
      response('1', 'write', { result: '', error: refusalOf(COPY) }),
    ),
    ai(write('b.ts')),
    tool(response('1', 'write', { result: 'Written.' })),
  ];
  expect(countCopies(history)).toEqual({ refused: 2, told: 0, passed: 1 });
});

describe('lines of a file with a marker', () => {
  test.each(['whole', 'in a longer line', 'another hash', 'with the number of its line'])('%s', (name) => {
    for (const marker of [COPY.marker, '⟦density: 4 lines as shown above by Read src/a.ts, from "x" #1ubub9a⟧'])
      expect(markerLines(`one\n${DISGUISES[name]!(marker)}\n`).map(({ line }) => line)).toEqual([2]);
  });

  test.each(['a line', 'density: 4', '⟦density: …', '[density: high]', 'const OPEN = "⟦density: ";'])(
    'none in %s',
    (text) => {
      expect(markerLines(text)).toEqual([]);
    },
  );
});
