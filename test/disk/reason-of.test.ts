import { expect, test } from 'vitest';
import { reasonOf } from '../../src/disk/reason-of.ts';

test('what the system refuses is said in words, without its own', () => {
  const error = Object.assign(new Error("EROFS: read-only file system, mkdir '/home/me/.local'"), { code: 'EROFS' });
  expect(reasonOf(error)).toBe('it is on a file system that cannot be written to');
  expect(reasonOf(new Error('no code'))).toBe('no code');
});
