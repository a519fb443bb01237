import { expect, test } from 'vitest';
import { OneByOne } from '../../src/proxy/one-by-one.ts';

const iteration = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('a request that comes alone does not wait; of those that come at once, each waits for an iteration of the loop', async () => {
  const looks = new OneByOne();
  const seen: string[] = [];
  const look = (name: string): Promise<void> => looks.turn().then(() => void seen.push(name));
  const all = ['first', 'second', 'third'].map(look);
  await Promise.resolve();
  await Promise.resolve();
  expect(seen).toEqual(['first']);
  for (const expected of [2, 3]) {
    await iteration();
    expect(seen).toHaveLength(expected);
  }
  await Promise.all(all);
  await iteration();
  await iteration();
  void look('later');
  await Promise.resolve();
  await Promise.resolve();
  expect(seen).toEqual(['first', 'second', 'third', 'later']);
});

test('other work of the thread runs in between', async () => {
  const looks = new OneByOne();
  const order: string[] = [];
  const looked = Array.from({ length: 3 }, (_, at) => looks.turn().then(() => void order.push(`look ${at}`)));
  setImmediate(() => order.push('other work'));
  await Promise.all(looked);
  expect(order.indexOf('other work')).toBeLessThan(order.indexOf('look 2'));
});
