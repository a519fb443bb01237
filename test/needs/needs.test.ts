import { expect, test } from 'vitest';
import type { ContentBlock, IContent } from '../../src/content/content.ts';
import { needsOf } from '../../src/needs/needs.ts';
import { SessionIndex } from '../../src/needs/session-index.ts';

const LINE = 'const answer = computeTheAnswer(input, options);';
const call = (id: string, name: string, parameters: object, caller?: object): IContent => ({
  speaker: 'ai',
  blocks: [{ type: 'tool_call', id, name, parameters, ...(caller && { providerMetadata: { caller } }) }],
});
const result = (...results: readonly (readonly [callId: string, text: string])[]): IContent => ({
  speaker: 'tool',
  blocks: results.map(([callId, text]) => ({ type: 'tool_response', callId, toolName: 'read_file', result: text })),
});
const needs = (history: readonly IContent[]) => {
  const session = { events: history.map((content) => ({ kind: 'add', content }) as const) };
  return needsOf(session, new SessionIndex(session));
};

const EDIT = call('e', 'replace', { file_path: '/r/a.ts', old_string: LINE, new_string: 'const answer = 42;' });
const reading = (caller: object): IContent[] => [
  call('r', 'read_file', { file_path: '/r/a.ts' }, caller),
  result(['r', `import x from 'x';\n${LINE}\n`]),
];

test('an edit needs the lines that a read showed to the model, and none that a program got', () => {
  const after = [EDIT, result(['e', 'ok'])];
  expect(needs([...reading({ type: 'direct' }), ...after]).map(({ kind }) => kind)).toContain('edit');
  expect(needs([...reading({ type: 'program', caller_id: 'p' }), ...after])).toEqual([]);
});

test('a call that repeats another one needs its result, also where both have the id of a call beside them', () => {
  const reads = (id: (file: string) => string): IContent[] => {
    const both = ['a', 'b'].map((file): ContentBlock => {
      return { type: 'tool_call', id: id(file), name: 'read_file', parameters: { file_path: `/r/${file}.ts` } };
    });
    return [{ speaker: 'ai', blocks: both }, result([id('a'), `${LINE} // a`], [id('b'), `${LINE} // b`])];
  };
  const again = (id: (file: string) => string) =>
    needs([...reads(id), ...reads(id)]).map(({ kind, block }) => [kind, block]);
  expect(again((file) => file)).toContainEqual(['rerun', 1]);
  expect(again(() => 'd')).toEqual(again((file) => file));
});
