import { describe, expect, test } from 'vitest';
import type { IContent } from '../../../src/content/content.ts';
import { resolvePath } from '../../../src/content/files/workspace-path.ts';
import { getCompressionStrategy } from '../../../src/strategies/index.ts';

const exchange = (id: string, name: string, file: string): IContent[] => [
  { speaker: 'ai', blocks: [{ type: 'tool_call', id, name, parameters: { absolute_path: file, file_path: file } }] },
  { speaker: 'tool', blocks: [{ type: 'tool_response', callId: id, toolName: name, result: 'ok' }] },
];

/** The entries that are pruned after a read of `read` and a write of `written`. */
function pruned(read: string, written: string, workspaceRoot: string): readonly number[] {
  const history = [...exchange('a', 'read_file', read), ...exchange('b', 'write_file', written)];
  const config = {
    readWritePruning: true,
    fileDedupe: true,
    recencyPruning: false,
    recencyRetention: 1,
    workspaceRoot,
  };
  return getCompressionStrategy('high-density').optimize!(history, config).removals.toSorted(
    (one, other) => one - other,
  );
}

describe('a path of a recording', () => {
  test('is absolute and normalised in every spelling (REQ-HD-005.5)', () => {
    for (const file of ['src/a.ts', './src/a.ts', '/project/src/a.ts', '/project//src/x/../a.ts']) {
      expect(resolvePath('/project', file)).toBe('/project/src/a.ts');
    }
  });

  test('of Windows names one file in equivalent spellings, on any system', () => {
    for (const file of ['C:\\repo\\src\\a.ts', 'C:/repo/src/a.ts', '\\\\server\\share\\a.ts', 'src\\a.ts']) {
      expect(pruned(file, file, 'C:\\repo')).toEqual([0, 1]);
    }
  });

  test('of macOS can contain blanks and characters of any language', () => {
    const file = '/Users/a b/Библиотека/a.ts';
    expect(pruned(file, 'Библиотека/a.ts', '/Users/a b')).toEqual([0, 1]);
  });

  test('that differs only in case is another file: nothing is pruned that may still be current', () => {
    expect(pruned('C:\\repo\\A.ts', 'C:\\repo\\a.ts', 'C:\\repo')).toEqual([]);
    expect(pruned('/Users/me/A.ts', '/Users/me/a.ts', '/Users/me')).toEqual([]);
  });

  test.each([
    ['/repo', 'src/a.ts', '/repo/src/a.ts'],
    ['/repo', './src/../a.ts', '/repo/a.ts'],
    ['/repo', 'file:///repo/my%20file.ts', '/repo/my file.ts'],
    ['/repo', 'file://localhost/repo/a.ts', '/repo/a.ts'],
    ['/repo', 'file:///repo/100%', '/repo/100%'],
    ['/home/dev/repo', '~/repo/a.ts', '/home/dev/repo/a.ts'],
    ['/Users/dev', '~/a.ts', '/Users/dev/a.ts'],
    ['/repo', '~/x/../a.ts', '~/a.ts'],
    ['C:\\repo', 'src\\a.ts', 'c:/repo/src/a.ts'],
    ['C:\\repo', 'c:/repo/src/./a.ts', 'c:/repo/src/a.ts'],
    ['/repo', 'D:\\Work\\B.ts', 'd:/Work/B.ts'],
    ['c:/Users/Dev/repo', '~\\repo\\a.ts', 'c:/Users/Dev/repo/a.ts'],
    ['C:\\repo', 'file:///C:/repo/a.ts', 'c:/repo/a.ts'],
    ['C:\\repo', 'C:\\', 'c:/'],
  ])('in %s, %s is %s (REQ-HD-005.5)', (directory, file, expected) => {
    expect(resolvePath(directory, file)).toBe(expected);
  });
});
