import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type FileAccess, fileAccess } from '../../../src/content/files/file-access.ts';
import { callRole } from '../../../src/content/tools/call-role.ts';
import { toolDefinition } from '../../../src/content/tools/tool-definition.ts';
import { plainToolName } from '../../../src/content/tools/tool-name.ts';
import { VOCABULARIES } from '../../../src/content/vocabularies/index.ts';
import { anyAgent, type ToolVocabulary } from '../../../src/content/vocabularies/vocabulary.ts';
import { runs } from '../../property-runs.ts';

const callOf = (name: string, parameters: unknown) => ({ type: 'tool_call', id: '1', name, parameters }) as const;
const access = (name: string, parameters: unknown, vocabulary: ToolVocabulary = anyAgent): FileAccess =>
  fileAccess(callOf(name, parameters), vocabulary, '/p');
const isKnown = (name: string, parameters: unknown): boolean =>
  toolDefinition(anyAgent, callOf(name, parameters)) !== undefined;
const reads = (...files: string[]) => ({ reads: files, writes: [], isPureRead: true });
const writes = (...files: string[]) => ({ reads: [], writes: files, isPureRead: false });

describe('a tool that the vocabulary does not list', () => {
  test.each([
    ['Read', { file_path: 'a.ts' }, reads('/p/a.ts')],
    ['read', { filePath: '/a.ts' }, reads('/a.ts')],
    ['read', { path: '/a.ts' }, reads('/a.ts')],
    ['readFile', { path: '/a.ts' }, reads('/a.ts')],
    ['mcp__files__read-file', { path: '/a.ts' }, reads('/a.ts')],
    ['functions.read_file', { path: '/a.ts' }, reads('/a.ts')],
    ['read_many_files', { paths: ['/a', '/b'] }, reads('/a', '/b')],
    ['Edit', { file_path: '/a.ts', old_string: 'a', new_string: 'b' }, writes('/a.ts')],
    ['edit', { filePath: '/a.ts', oldString: 'a', newString: 'b' }, writes('/a.ts')],
    ['write_file', { path: '/a.ts', content: '' }, writes('/a.ts')],
    ['delete_line_range', { absolute_path: '/a.ts', start_line: 1, end_line: 2 }, writes('/a.ts')],
    ['str_replace_editor', { command: 'view', path: '/a.ts' }, reads('/a.ts')],
    ['str_replace_editor', { command: 'create', path: '/a.ts', file_text: '' }, writes('/a.ts')],
    ['apply_patch', { patch: '*** Begin Patch\n*** Update File: a.ts\n' }, writes('/p/a.ts')],
    ['apply_patch', '*** Begin Patch\n*** Update File: a.ts\n', writes('/p/a.ts')],
    ['run_shell_command', { command: 'cat a.ts' }, reads('/p/a.ts')],
    ['bash', { command: 'cat /a.ts' }, reads('/a.ts')],
    ['exec_command', { cmd: 'cat a.ts' }, reads('/p/a.ts')],
  ])('%s %j is known by its name and its shape', (name, parameters, expected) => {
    expect(access(name, parameters)).toMatchObject(expected);
  });

  test('keeps files of its shell uncertain if any agent keeps its directory', () => {
    expect(access('bash', { command: 'cat a.ts' })).toMatchObject({ reads: [], isPureRead: false });
  });

  test.each([
    ['a write without text', 'create', { path: '/a.ts' }],
    ['a write in a repository on a server', 'mcp__hub__write_file', { path: 'a.ts', content: '', repo: 'x/y' }],
    ['a read from a bucket', 'read_file', { path: 'a.ts', bucket: 'b' }],
    ['a read of an address', 'read', { path: 'https://example.org/a.ts' }],
    ['two paths that agents weigh differently', 'read', { path: '/a.ts', filePath: '/b.ts' }],
    ['no path', 'read_file', { id: 7 }],
    ['an empty path', 'read_file', { path: '' }],
    ['no patch', 'apply_patch', { patch: 'rm -rf' }],
    ['an unknown command of an editor', 'str_replace_editor', { command: 'explain', path: '/a.ts' }],
    ['a name that says nothing of files', 'open', { path: '/a.ts' }],
    ['an unknown name', 'fetch_weather', { path: '/a.ts' }],
    ['a script that is a word', 'exec', { input: 'ls' }],
    ['a name of every object', 'constructor', { path: '/a.ts' }],
  ])('is unknown with %s: %s %j', (_why, name, parameters) => {
    expect(isKnown(name, parameters)).toBe(false);
    expect(access(name, parameters)).toMatchObject({ reads: [], writes: [], isPureRead: false });
    expect(callRole(anyAgent, callOf(name, parameters))).toBe('other');
  });
});

test("the vocabulary's own definition decides first", () => {
  const own: ToolVocabulary = { name: 'own', tools: { Edit: { role: 'read', pathKeys: ['file_path'] } } };
  expect(access('Edit', { file_path: '/a', old_string: 'a', new_string: 'b' }, own)).toMatchObject(reads('/a'));
  expect(access('run_shell_command', { command: 'cat /a' }, VOCABULARIES.get('llxprt'))).toMatchObject({ reads: [] });
});

test('every tool of every agent has one meaning by its own parameters, or none', () => {
  for (const vocabulary of VOCABULARIES.values()) {
    for (const [name, { role, pathKeys, parser, command }] of Object.entries(vocabulary.tools)) {
      const [key] = pathKeys ?? [];
      if (key === undefined || parser !== undefined || command !== undefined || /^(?:open|goto)$/.test(name)) continue;
      const parameters = { [key]: '/a.ts', ...(role === 'write' && { content: 'x' }) };
      expect(`${name} ${callRole(anyAgent, callOf(name, parameters))}`).toBe(`${name} ${role}`);
    }
  }
});

test.each([
  ['mcp__server__tool', 'tool'],
  ['ReadFile', 'readfile'],
  ['read-file', 'readfile'],
  ['__proto__', 'proto'],
  ['a.b/c:Read', 'read'],
  ['', ''],
])('%s is plainly %s', (name, plain) => expect(plainToolName(name)).toBe(plain));

test('never throws, for any name and parameters', () => {
  const names = [...VOCABULARIES.values()].flatMap(({ tools }) => Object.keys(tools));
  fc.assert(
    fc.property(fc.oneof(fc.constantFrom(...names), fc.string()), fc.anything(), (name, parameters) => {
      access(name, parameters);
      callRole(anyAgent, callOf(name, parameters));
    }),
    { numRuns: runs(2000) },
  );
});
