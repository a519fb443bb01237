import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type FileAccess, fileAccess } from '../../../src/content/files/file-access.ts';
import { keyParameter } from '../../../src/content/files/key-parameter.ts';
import { writtenTexts } from '../../../src/content/files/written-texts.ts';
import { callRole } from '../../../src/content/tools/call-role.ts';
import { VOCABULARIES } from '../../../src/content/vocabularies/index.ts';
import type { ToolVocabulary } from '../../../src/content/vocabularies/vocabulary.ts';
import { runs } from '../../property-runs.ts';

const ROOT = '/repo/space';

function vocabulary(name: string): ToolVocabulary {
  const found = VOCABULARIES.get(name);
  if (found === undefined) throw new Error(`no vocabulary ${name}`);
  return found;
}

function access(agent: string, name: string, parameters: unknown, root = ROOT): FileAccess {
  return fileAccess({ type: 'tool_call', id: '1', name, parameters }, vocabulary(agent), root);
}

function key(agent: string, name: string, parameters: unknown): string | undefined {
  return keyParameter({ type: 'tool_call', id: '1', name, parameters }, vocabulary(agent));
}

const reads = (...files: string[]) => ({ reads: files, writes: [], isPureRead: true, isUnrecognized: false });
const writes = (...files: string[]) => ({ reads: [], writes: files, isPureRead: false, isUnrecognized: false });
const nothing = writes();

describe('fileAccess with the default vocabulary', () => {
  test.each(['read_file', 'read_line_range', 'read_many_files', 'ast_read_file'])('%s reads (REQ-HD-005.2)', (name) => {
    expect(access('llxprt', name, { file_path: '/a.ts' })).toEqual(reads('/a.ts'));
  });

  test.each(['write_file', 'ast_edit', 'replace', 'insert_at_line', 'delete_line_range'])(
    '%s writes (REQ-HD-005.3)',
    (name) => {
      expect(access('llxprt', name, { file_path: '/a.ts' })).toEqual(writes('/a.ts'));
    },
  );

  test.each(['run_shell_command', 'glob', 'apply_patch', 'toString', '__proto__'])(
    '%s neither reads nor writes (row 26)',
    (name) => {
      expect(access('llxprt', name, { file_path: '/a.ts', command: 'cat /a.ts' })).toEqual(nothing);
    },
  );

  test.each([{ dry_run: true }, { dryRun: true }, { dry_run: 'diff' }, { preview: true }, { validate_only: true }])(
    'a write that only previews (%j) is none',
    (asked) => {
      const parameters = { file_path: '/a.ts', content: 'x', ...asked };
      expect(access('llxprt', 'write_file', parameters)).toEqual(nothing);
      expect(access('llxprt', 'Edit', { ...parameters, old_string: 'a', new_string: 'b' })).toEqual(nothing);
      expect(access('claude-code', 'Bash', { command: 'echo x > /a.ts; cat /b.ts', ...asked })).toEqual(nothing);
      const input = '*** Begin Patch\n*** Add File: /a.ts\n+x\n*** End Patch';
      expect(access('codex', 'apply_patch', { input, ...asked })).toEqual(nothing);
      expect(access('codex', 'apply_patch', { input })).toEqual(writes('/a.ts'));
      const call = { type: 'tool_call', id: '1', name: 'write_file', parameters } as const;
      expect(callRole(vocabulary('llxprt'), call)).toBe('other');
      expect(writtenTexts(call, vocabulary('llxprt')).written).toEqual([]);
    },
  );

  test.each([{ dry_run: false }, { dry_run: 'false' }, { preview: '' }, { dryRun: null }, { preview: { lines: 3 } }])(
    'a write with %j is one',
    (asked) => {
      expect(access('llxprt', 'write_file', { file_path: '/a.ts', ...asked })).toEqual(writes('/a.ts'));
    },
  );

  test('a preview of a read is a read', () => {
    expect(access('llxprt', 'read_file', { file_path: '/a.ts', preview: true })).toEqual(reads('/a.ts'));
  });

  test("tools of other agents read and write if their parameters are that agent's (row 26)", () => {
    expect(access('llxprt', 'Read', { file_path: '/a.ts' })).toEqual(reads('/a.ts'));
    expect(access('llxprt', 'Edit', { file_path: '/a.ts', old_string: 'a', new_string: 'b' })).toEqual(writes('/a.ts'));
    expect(access('llxprt', 'Edit', { file_path: '/a.ts', command: 'cat /a.ts' })).toEqual(nothing);
  });

  test('takes the first of file_path, absolute_path, path that is a non-empty string (REQ-HD-005.4, row 12)', () => {
    expect(access('llxprt', 'read_file', { path: '/c', absolute_path: '/b', file_path: '/a' })).toEqual(reads('/a'));
    expect(access('llxprt', 'read_file', { path: '/c', absolute_path: '/b', file_path: '' })).toEqual(reads('/b'));
    expect(access('llxprt', 'read_file', { path: '/c', absolute_path: 7 })).toEqual(reads('/c'));
  });

  test('resolves relative paths against the workspace root and keeps case (REQ-HD-005.5, REQ-HD-005.11, BR-PRUNE-005, BR-PRUNE-006)', () => {
    expect(access('llxprt', 'read_file', { path: './src/../A.ts' })).toEqual(reads('/repo/space/A.ts'));
    expect(access('llxprt', 'read_file', { path: '/x//y/./z.ts' })).toEqual(reads('/x/y/z.ts'));
  });

  test('never uses the working directory of the process, whatever the root is (row 12)', () => {
    for (const root of ['', '.', 'relative']) {
      const { reads: found } = access('llxprt', 'read_file', { path: 'a.ts' }, root);
      expect(found).toEqual([path.resolve('/', root, 'a.ts')]);
      expect(found[0]).not.toContain(process.cwd());
    }
  });

  test('read_many_files takes a list or one string, in paths or include (row 12)', () => {
    expect(access('llxprt', 'read_many_files', { paths: ['a', '/b'] })).toEqual(reads('/repo/space/a', '/b'));
    expect(access('llxprt', 'read_many_files', { include: '/b' })).toEqual(reads('/b'));
  });

  test('a glob or an unreadable element names no file, and the call is not a pure read (REQ-HD-005.9)', () => {
    const mixed = access('llxprt', 'read_many_files', { paths: ['/a', 'src/*.ts'] });
    expect(mixed).toEqual({ ...reads('/a'), isPureRead: false });
    expect(access('llxprt', 'read_many_files', { paths: ['**/*', '/?'] })).toEqual(nothing);
    expect(access('llxprt', 'read_many_files', { paths: ['/a', 4] }).isPureRead).toBe(false);
    expect(access('llxprt', 'read_many_files', { paths: ['/a', ''] }).isPureRead).toBe(false);
  });

  test.each([[null], ['/a.ts'], [7], [[]], [{}], [{ file_path: '' }], [{ file: '/a.ts' }], [undefined]])(
    'parameters %j are skipped without an error (REQ-HD-013.5, EC-050, EC-051, EC-052)',
    (parameters) => {
      expect(access('llxprt', 'read_file', parameters)).toEqual({ ...nothing, isUnrecognized: true });
    },
  );

  test('parameters that throw when they are read are skipped, and the readable ones count (REQ-HD-013.5)', () => {
    const unreadable = (): never => {
      throw new Error('not for you');
    };
    const getter = Object.defineProperty({ path: '/b.ts' }, 'file_path', { get: unreadable, enumerable: true });
    const proxy = new Proxy({}, { get: unreadable });
    for (const name of ['read_file', 'read_many_files', 'run_shell_command', 'apply_patch']) {
      expect(access('llxprt', name, proxy)).toMatchObject({ reads: [], writes: [], isPureRead: false });
      expect(key('llxprt', name, proxy)).toBeUndefined();
    }
    expect(access('llxprt', 'read_file', getter)).toEqual(reads('/b.ts'));
  });

  test('never throws, for parameters of any shape (REQ-HD-013.5)', () => {
    fc.assert(
      fc.property(
        fc
          .constantFrom(...VOCABULARIES.values())
          .chain((agent) => fc.tuple(fc.constant(agent), fc.constantFrom('Read', ...Object.keys(agent.tools)))),
        fc.oneof(
          fc.anything(),
          fc.dictionary(fc.constantFrom('path', 'paths', 'command', 'cmd', 'input', 'files'), fc.anything()),
        ),
        ([agent, name], parameters) => {
          const call = { type: 'tool_call', id: '1', name, parameters } as const;
          const found = fileAccess(call, agent, ROOT);
          // Below a home directory that nobody knows, `~` stays.
          const isWhole = (file: string): boolean => path.isAbsolute(file) || /^~[/\\]/.test(file);
          expect([...found.reads, ...found.writes].every(isWhole)).toBe(true);
          keyParameter(call, agent);
        },
      ),
      { numRuns: runs(1000) },
    );
  });
});

describe('fileAccess of other agents', () => {
  test.each([
    ['claude-code', 'Read', { file_path: '/a', offset: 3 }, reads('/a')],
    ['claude-code', 'Edit', { file_path: '/a' }, writes('/a')],
    ['claude-code', 'MultiEdit', { file_path: '/a', edits: [] }, writes('/a')],
    ['claude-code', 'NotebookEdit', { notebook_path: '/a.ipynb' }, writes('/a.ipynb')],
    ['claude-code', 'Grep', { pattern: 'x', path: '/a' }, nothing],
    ['gemini', 'read_file', { absolute_path: '/a' }, reads('/a')],
    ['gemini', 'replace', { file_path: 'a' }, writes('/repo/space/a')],
    ['opencode', 'read', { filePath: '/a' }, reads('/a')],
    ['opencode', 'edit', { filePath: '/a' }, writes('/a')],
    ['pi', 'edit', { path: '/a', edits: [] }, writes('/a')],
    ['copilot-cli', 'view', { path: '/a', view_range: [1, 2] }, reads('/a')],
    ['copilot-cli', 'create', { path: '/a', file_text: '' }, writes('/a')],
    ['cline', 'read_files', { files: [{ path: '/a' }, { path: 'b', start_line: 2 }] }, reads('/a', '/repo/space/b')],
    ['cline', 'write_to_file', { absolutePath: '/a' }, writes('/a')],
    ['swe-agent', 'open', { path: '/a', line_number: 4 }, reads('/a')],
    ['swe-agent', 'edit', { search: 'x', replace: 'y' }, { ...nothing, isUnrecognized: true }],
    ['swe-agent', 'edit', { search: 'x', replace: 'y', path: '/a' }, writes('/a')],
    ['openhands', 'str_replace_editor', { command: 'view', path: '/a' }, reads('/a')],
    ['openhands', 'str_replace_editor', { command: 'create', path: '/a' }, writes('/a')],
    ['openhands', 'str_replace_editor', { command: 'insert', path: '/a' }, writes('/a')],
    ['openhands', 'str_replace_editor', { command: 'toString', path: '/a' }, nothing],
    ['openhands', 'str_replace_editor', { path: '/a' }, nothing],
  ])('%s %s %j', (agent, name, parameters, expected) => {
    expect(access(agent, name, parameters)).toEqual(expected);
  });

  test('an apply_patch body writes every file that it names, by both names of a move', () => {
    const patch = [
      '*** Begin Patch',
      '*** Update File: src/a.ts',
      '*** Move to: /b.ts',
      '@@',
      '-*** Delete File: no.ts',
      '*** Add File: with space.ts',
      '+x',
      '*** Delete File: c.ts ',
      '*** End Patch',
    ].join('\n');
    const expected = writes('/repo/space/src/a.ts', '/b.ts', '/repo/space/with space.ts', '/repo/space/c.ts');
    expect(access('codex', 'apply_patch', patch)).toEqual(expected);
    expect(access('codex', 'apply_patch', { input: patch })).toEqual(expected);
    expect(access('opencode', 'apply_patch', { patchText: patch })).toEqual(expected);
    expect(access('codex', 'apply_patch', 'no patch')).toEqual({ ...nothing, isUnrecognized: true });
    expect(
      access('codex', 'exec_command', { cmd: `apply_patch <<'EOF'\n${patch}\nEOF`, workdir: '/w' }).writes,
    ).toEqual(['/w/src/a.ts', '/b.ts', '/w/with space.ts', '/w/c.ts']);
    const source = `const p = ${JSON.stringify(patch)};\nawait tools.apply_patch(p);`;
    expect(access('codex', 'exec', source)).toEqual(expected);
    expect(access('codex', 'exec', 'await tools.exec_command({cmd:"cat /a"})')).toEqual(reads('/a'));
    expect(access('codex', 'apply_patch', patch.replaceAll('\n', '\r\n'))).toEqual(expected);
  });

  test('Codex runs a string or an argument vector in its working directory', () => {
    const expected = reads('/w/a.ts');
    expect(access('codex', 'exec_command', { cmd: 'cat a.ts', workdir: '/w' })).toEqual(expected);
    expect(access('codex', 'shell', { command: ['bash', '-lc', "sed -n '1,9p' a.ts"], workdir: '/w' })).toEqual(
      expected,
    );
    expect(access('codex', 'shell', { command: ['cat', 'a.ts'], workdir: '/w' })).toEqual(expected);
    expect(access('codex', 'shell', { command: ['cat', 7], workdir: '/w' })).toEqual(nothing);
  });

  test('relative paths are unknown in a shell that keeps its directory', () => {
    expect(access('claude-code', 'Bash', { command: 'cat a.ts' })).toEqual(nothing);
    expect(access('claude-code', 'Bash', { command: 'echo x > a.ts' })).toEqual(nothing);
    expect(access('claude-code', 'Bash', { command: 'cat /a.ts' })).toEqual(reads('/a.ts'));
    expect(access('claude-code', 'Bash', { command: 'cd /r && cat a.ts' })).toEqual(reads('/r/a.ts'));
  });

  test('several commands of one call are one access', () => {
    expect(access('cline', 'run_commands', { commands: ['cat /a', 'head /b'] })).toEqual(reads('/a', '/b'));
    expect(access('cline', 'run_commands', { commands: ['cat /a', 'make'] })).toEqual({
      ...reads('/a'),
      isPureRead: false,
    });
  });
});

describe('keyParameter', () => {
  test.each([
    ['llxprt', 'read_file', { file_path: 'src/index.ts' }, 'src/index.ts'],
    ['llxprt', 'read_many_files', { paths: ['a', '*.ts'] }, 'a, *.ts'],
    ['llxprt', 'run_shell_command', { command: 'npm  test\n--watch' }, 'npm test --watch'],
    ['llxprt', 'search_file_content', { pattern: 'TODO', path: 'src' }, 'TODO'],
    ['llxprt', 'mcp__x__y', { query: 'weather' }, 'weather'],
    ['claude-code', 'Task', { description: 'Find callers', prompt: 'long' }, 'Find callers'],
    ['llxprt', 'mcp__x__y', { n: 4 }, undefined],
    ['llxprt', 'read_file', null, undefined],
    ['codex', 'shell', { command: ['bash', '-lc', 'ls'] }, 'ls'],
    ['codex', 'apply_patch', '*** Begin Patch\n*** Add File: a.ts\n*** Delete File: b.ts', 'a.ts, b.ts'],
    ['cline', 'read_files', { files: [{ path: 'a' }, { path: 'b' }] }, 'a, b'],
  ])('of %s %s %j is %j (REQ-HD-008.3, row 14)', (agent, name, parameters, expected) => {
    expect(key(agent, name, parameters)).toBe(expected);
  });

  test('is one short line and splits no surrogate pair', () => {
    const long = key('llxprt', 'run_shell_command', { command: `${'a'.repeat(118)}😀 and more` });
    expect(long).toBe(`${'a'.repeat(118)}…`);
  });
});

test('every vocabulary is found by its name', () => {
  expect([...VOCABULARIES].every(([name, agent]) => agent.name === name)).toBe(true);
  expect([...VOCABULARIES.keys()]).toEqual([
    'llxprt',
    'claude-code',
    'codex',
    'gemini',
    'cline',
    'opencode',
    'pi',
    'swe-agent',
    'openhands',
    'mini-swe-agent',
    'copilot-cli',
    'terminus',
    'qwen-code',
    'any',
  ]);
});
