import { describe, expect, test } from 'vitest';
import type { ToolCallBlock } from '../../../src/content/content.ts';
import { cachedFileAccess } from '../../../src/content/files/cached-file-access.ts';
import { fileAccess } from '../../../src/content/files/file-access.ts';
import { claudeCode } from '../../../src/content/vocabularies/claude-code.ts';

const call = (name: string, parameters: unknown): ToolCallBlock => ({ type: 'tool_call', id: 'c', name, parameters });

const CALLS = [
  call('Read', { file_path: 'a.ts' }),
  call('Edit', { file_path: 'a.ts', old_string: 'a', new_string: 'b' }),
  call('Bash', { command: 'cat /repo/a.ts' }),
  call('Bash', { command: 'sed -i s/a/b/ /repo/a.ts' }),
  call('Unknown', { path: 'a.ts' }),
];

describe('file access with a cache', () => {
  test.each([
    [false, true],
    [true, false],
  ])('equals the plain access of every call, in either order of requests (shell writes %s)', (...order) => {
    const cached = cachedFileAccess();
    for (const root of ['/repo', '/other', '/repo']) {
      for (const includesShellWrites of order) {
        for (const one of CALLS) {
          const expected = fileAccess(one, claudeCode, root, { includesShellWrites });
          expect(cached(one, claudeCode, root, { includesShellWrites })).toEqual(expected);
          expect(cached(one, claudeCode, root, { includesShellWrites })).toEqual(expected);
        }
      }
    }
  });

  test('is one object for a call unless a program that a shell runs writes', () => {
    const cached = cachedFileAccess();
    const isSame = CALLS.map((one) => {
      const plain = cached(one, claudeCode, '/repo');
      return plain === cached(one, claudeCode, '/repo', { includesShellWrites: true });
    });
    expect(isSame).toEqual([true, true, true, false, true]);
  });
});
