import { expect, test } from 'vitest';
import { SerialQueue } from '../src/serial-queue.ts';

test('a queue starts a task when its caller went on, one after the other, also after one that failed', async () => {
  const queue = new SerialQueue();
  const steps: string[] = [];
  const first = queue.run(async () => {
    steps.push('first');
    await new Promise(setImmediate);
    steps.push('end of first');
    throw new Error('failed');
  });
  const second = queue.run(async () => {
    steps.push('second');
    return 2;
  });
  steps.push('caller');
  await expect(first).rejects.toThrow('failed');
  expect(await second).toBe(2);
  await queue.idle();
  expect(steps).toEqual(['caller', 'first', 'end of first', 'second']);
});
