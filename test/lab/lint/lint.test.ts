import { describe, expect, test } from 'vitest';
import type { IContent } from '../../../src/content/content.ts';
import { lintHistory, newFindings } from '../../../src/lab/lint/lint.ts';
import { ai, call, exchange, human, response, text, tool } from '../../strategies/conversation.ts';

const rulesOf = (...history: Parameters<typeof lintHistory>[0]) =>
  lintHistory(history).map(({ rule, severity, position }) => [rule, severity, position]);

describe('lint', () => {
  test('has nothing against a whole history', () => {
    expect(rulesOf(human('go'), ...exchange('1', 'read_file', 'a.ts'), ai('done'))).toEqual([]);
  });

  test.each([
    ['a call without a result', [human('a'), ai(call('1', 'ls', {})), human('b')], 'unanswered-call', 2],
    ['a result without a call', [human('a'), tool(response('1', 'ls'))], 'orphan-response', 2],
    ['a late result', [human('a'), ai(call('1', 'ls', {})), human('b'), tool(response('1', 'ls'))], 'late-response', 4],
    [
      'an id that is used again before it is answered',
      [human('a'), ai(call('1', 'ls', {}), call('1', 'ls', {})), tool(response('1', 'ls'))],
      'repeated-call-id',
      2,
    ],
    ['a message of blanks', [human('a'), ai(text('  '))], 'empty-text', 2],
    ['a name that no tool may have', [human('a'), ...exchange('1', 'no such name', {})], 'tool-name', 2],
  ])('says that a provider refuses %s', (_what, history, rule, position) => {
    expect(rulesOf(...history)).toContainEqual([rule, 'refused', position]);
  });

  test('doubts a call that writes a marker of the history', () => {
    const marker = '⟦density: 30 lines of tests that passed left out; recall 07ff8c5d1eea⟧';
    const write = ai(call('2', 'write_file', { path: 'b.ts', content: `// ${marker}` }));
    const sent = [human('go'), ai(call('1', 'ls', {})), tool(response('1', 'ls', { result: marker }))];
    expect(rulesOf(...sent, write, tool(response('2', 'write_file')))).toEqual([['copied-marker', 'doubtful', 4]]);
    expect(rulesOf(...sent.with(2, tool(response('1', 'ls'))), write, tool(response('2', 'write_file')))).toEqual([]);
  });

  test.each([
    ['an answer at the start', [ai('a')], 'starts-without-user', 1],
    ['a call at the end that may still be answered', [human('a'), ai(call('1', 'ls', {}))], 'ends-with-open-call', 2],
    [
      'a second result',
      [human('a'), ai(call('1', 'ls', {})), tool(response('1', 'ls'), response('1', 'ls'))],
      'repeated-response',
      3,
    ],
  ])('doubts %s', (_what, history, rule, position) => {
    expect(rulesOf(...history)).toContainEqual([rule, 'doubtful', position]);
  });

  test('says why', () => {
    const [finding] = lintHistory([human('a'), ai(call('c7', 'ls', {})), human('b')]);
    expect(finding?.message).toBe('Call c7 of ls has no result: each call needs one in the next message.');
  });

  test('refuses half of a character, wherever a text has it, and no emoji', () => {
    const call = { type: 'tool_call', id: 'c', name: 'Write', parameters: { content: 'cut \ud83d' } } as const;
    const history: IContent[] = [
      { speaker: 'human', blocks: [{ type: 'text', text: 'so 😀' }] },
      { speaker: 'ai', blocks: [call] },
      { speaker: 'tool', blocks: [{ type: 'tool_response', callId: 'c', toolName: 'Write', result: '\ude00 done' }] },
    ];
    const found = lintHistory(history).map(({ rule, severity, position }) => [rule, severity, position]);
    expect(found).toEqual([2, 3].map((position) => ['half-character', 'refused', position]));
  });

  test('new findings are those beyond what was there before', () => {
    const before = lintHistory([human('a'), tool(response('1', 'ls'))]);
    const after = lintHistory([human('a'), tool(response('1', 'ls')), tool(response('2', 'ls'))]);
    expect(newFindings(before, before)).toEqual([]);
    expect(newFindings(before, after).map(({ position }) => position)).toEqual([3]);
  });
});
