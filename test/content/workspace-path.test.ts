import { describe, expect, test } from 'vitest';
import { resolvePath } from '../../src/content/workspace-path.ts';

describe('paths compare as what they name', () => {
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
  ])('in %s %s is %s (REQ-HD-005.5)', (directory, file, expected) => {
    expect(resolvePath(directory, file)).toBe(expected);
  });
});
