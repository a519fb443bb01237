import { describe, expect, test } from 'vitest';
import type { ToolCallBlock } from '../../../src/content/content.ts';
import { fileAccess } from '../../../src/content/files/file-access.ts';
import { rememberedFileAccess } from '../../../src/content/files/remembered-access.ts';
import { claudeCode } from '../../../src/content/vocabularies/claude-code.ts';

const call = (name: string, parameters: unknown): ToolCallBlock => ({ type: 'tool_call', id: 'c', name, parameters });

const CALLS = [
  call('Read', { file_path: 'a.ts' }),
  call('Edit', { file_path: 'a.ts', old_string: 'a', new_string: 'b' }),
  call('Bash', { command: 'cat /repo/a.ts' }),
  call('Bash', { command: 'sed -i s/a/b/ /repo/a.ts' }),
  call('Unknown', { path: 'a.ts' }),
];

describe('file access that is remembered', () => {
  test.each([
    [false, true],
    [true, false],
  ])('is what it was for every call, however it is asked first (writers %s)', (...order) => {
    const remembered = rememberedFileAccess();
    for (const root of ['/repo', '/other', '/repo']) {
      for (const seesShellWriters of order) {
        for (const one of CALLS) {
          const expected = fileAccess(one, claudeCode, root, { seesShellWriters });
          expect(remembered(one, claudeCode, root, { seesShellWriters })).toEqual(expected);
          expect(remembered(one, claudeCode, root, { seesShellWriters })).toEqual(expected);
        }
      }
    }
  });

  test('is one answer for a call, but where programs that a shell runs write', () => {
    const remembered = rememberedFileAccess();
    const isSame = CALLS.map((one) => {
      const plain = remembered(one, claudeCode, '/repo');
      return plain === remembered(one, claudeCode, '/repo', { seesShellWriters: true });
    });
    expect(isSame).toEqual([true, true, true, false, true]);
  });
});
