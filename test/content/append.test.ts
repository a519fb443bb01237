import { expect, test } from 'vitest';
import { append } from '../../src/content/append.ts';

test('more values are added than a call may have arguments', () => {
  const list = [0];
  append(list, Array(1_000_000).fill(1));
  expect([list.length, list[0], list.at(-1)]).toEqual([1_000_001, 0, 1]);
});
