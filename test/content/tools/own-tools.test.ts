import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fileAccess } from '../../../src/content/files/file-access.ts';
import { OWN_TOOLS, vocabularyWith, vocabularyWithListed } from '../../../src/content/tools/own-tools.ts';
import { receivedVocabulary, sentVocabulary } from '../../../src/content/tools/sent-vocabulary.ts';
import { unknownTools } from '../../../src/content/tools/unknown-tools.ts';
import { VOCABULARIES } from '../../../src/content/vocabularies/index.ts';
import { llxprt } from '../../../src/content/vocabularies/llxprt.ts';
import type { ToolVocabulary } from '../../../src/content/vocabularies/vocabulary.ts';
import { checkSetting } from '../../../src/settings/parse.ts';

const callOf = (name: string, parameters: unknown) => ({ type: 'tool_call', id: '1', name, parameters }) as const;
const access = (vocabulary: ToolVocabulary, name: string, parameters: unknown) =>
  fileAccess(callOf(name, parameters), vocabulary, '/p');

describe('own tools', () => {
  test('decide before the vocabulary, and leave the others as they are', () => {
    const own = vocabularyWith({ peek: { role: 'read', pathKeys: ['at'] }, read_file: { role: 'other' } }, llxprt);
    expect(access(own, 'peek', { at: 'a.ts' })).toMatchObject({ reads: ['/p/a.ts'], isPureRead: true });
    expect(access(own, 'read_file', { path: 'a.ts' })).toMatchObject({ reads: [] });
    expect(access(own, 'write_file', { path: 'a.ts' })).toMatchObject({ writes: ['/p/a.ts'] });
  });

  test('are listed in a setting: role, name and parameters', () => {
    const listed = [
      'read=peek:at',
      'write=poke:at+to',
      'shell=sh:line',
      'search=hunt:for',
      'other=read_file',
      'nonsense',
    ];
    const own = vocabularyWithListed(listed, llxprt);
    expect(access(own, 'peek', { at: '/a' })).toMatchObject({ reads: ['/a'] });
    expect(access(own, 'poke', { to: '/a' })).toMatchObject({ writes: ['/a'] });
    expect(access(own, 'sh', { line: 'cat /a' })).toMatchObject({ reads: ['/a'] });
    expect(access(own, 'hunt', { for: 'x' })).toMatchObject({ reads: [], writes: [] });
    expect(access(own, 'read_file', { path: '/a' })).toMatchObject({ reads: [] });
    expect(vocabularyWithListed(['nonsense'], llxprt)).toBe(llxprt);
  });

  test.each(['read=peek:at', ' write=a:b+c , other=d ', 'shell=sh:line'])('the setting takes %j', (value) => {
    expect(checkSetting('compression.density.tools', value)).toBe(value);
  });

  test.each(['read=peek', 'read', 'peek:at', 'look=peek:at', 'read=peek:at,', 'read=a b:c', '', 7])(
    'the setting refuses %j with an example',
    (value) => {
      expect(() => checkSetting('compression.density.tools', value)).toThrow(/role=name:parameter.*read=my_read:path/);
    },
  );

  test('a listed text is refused in linear time', () => {
    const start = process.cpuUsage();
    for (const piece of ['read=a:b+', 'read=a:b,', 'other=', ' ', ',']) OWN_TOOLS.test(`${piece.repeat(100_000)}!=`);
    // Milliseconds; quadratic time would be minutes of the processor.
    expect(process.cpuUsage(start).user).toBeLessThan(15_000_000);
  });
});

test('a vocabulary crosses to a thread as data', () => {
  const own = vocabularyWith({ peek: { role: 'read', pathKeys: ['at'] } }, llxprt);
  for (const vocabulary of [...VOCABULARIES.values(), own]) {
    expect(receivedVocabulary(sentVocabulary(vocabulary)!)).toEqual(vocabulary);
  }
  const cyclic: ToolVocabulary = { name: 'x', tools: {} };
  Object.assign(cyclic.tools, { cyclic });
  expect(sentVocabulary(cyclic)).toBeUndefined();
});

test('names tools that nobody knows, most called first, and none that only plan or ask', () => {
  const call = (name: string, parameters: unknown = {}) =>
    ({ speaker: 'ai', blocks: [callOf(name, parameters)] }) as const;
  const history = [call('peek'), call('poke'), call('poke'), call('TodoWrite'), call('Read', { file_path: '/a' })];
  expect(unknownTools(history, llxprt)).toEqual([
    { name: 'poke', calls: 2 },
    { name: 'peek', calls: 1 },
  ]);
  expect(unknownTools([...history, call('Read', { id: 1 })], llxprt)).toContainEqual({ name: 'Read', calls: 1 });
});

test('a vocabulary of any tools makes no call throw', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), fc.string(), fc.anything(), (listed, name, parameters) => {
      access(vocabularyWithListed(listed, llxprt), name, parameters);
    }),
  );
});
