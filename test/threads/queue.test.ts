import { describe, expect, test } from 'vitest';
import { Queue } from '../../src/threads/queue.ts';
import { ThreadUnavailableError } from '../../src/threads/unavailable.ts';

describe('a queue', () => {
  const newQueue = (options: object = {}): Queue => new Queue({ mostWaiting: 100, concurrency: 1, ...options });
  /** Calls that are answered by hand. */
  function manualCalls(queue: Queue) {
    const sent: { name: string; answer: () => void }[] = [];
    const ask = (name: string): Promise<string> =>
      queue.enter(() => new Promise((resolve) => sent.push({ name, answer: () => resolve(name) })));
    return { ask, sent, names: () => sent.map(({ name }) => name) };
  }

  test('sends one request at a time, in their order, and builds each when it is sent', async () => {
    const queue = newQueue();
    const { ask, sent, names } = manualCalls(queue);
    const first = ask('a');
    const second = ask('b');
    expect(names()).toEqual(['a']);
    expect(queue.waiting).toBe(1);
    sent[0]!.answer();
    await first;
    await Promise.resolve();
    await Promise.resolve();
    expect(names()).toEqual(['a', 'b']);
    sent[1]!.answer();
    expect(await second).toBe('b');
  });

  test('sends as many at once as the thread works on', async () => {
    const { ask, sent, names } = manualCalls(newQueue({ concurrency: 2 }));
    void ask('a');
    const second = ask('b');
    void ask('c');
    expect(names()).toEqual(['a', 'b']);
    sent[1]!.answer();
    expect(await second).toBe('b');
    expect(names()).toEqual(['a', 'b', 'c']);
  });

  test('refuses what is too much, and never grows beyond that', async () => {
    const queue = newQueue({ mostWaiting: 3 });
    const { ask } = manualCalls(queue);
    const asked = Array.from({ length: 100 }, (_, index) => ask(`${index}`));
    const refused = await Promise.allSettled(asked.slice(4));
    expect(queue.waiting).toBe(3);
    expect(refused.every((one) => one.status === 'rejected' && one.reason.reason === 'full')).toBe(true);
  });

  test('of ten histories, one with ten times the work delays each other one by one request at most', async () => {
    const order: string[] = [];
    const queue = newQueue();
    const work = async (name: string, requests: number): Promise<void> => {
      for (let index = 0; index < requests; index++) {
        await queue.enter(async () => {
          order.push(name);
          await Promise.resolve();
        });
      }
    };
    await Promise.all([work('large', 100), ...Array.from({ length: 9 }, (_, index) => work(`small-${index}`, 10))]);
    const whileSmallOnesWork = order.slice(0, order.findLastIndex((name) => name !== 'large') + 1);
    // Each round of all ten has each of them once: nobody is asked twice before everybody was asked once.
    expect(whileSmallOnesWork.filter((name) => name === 'large').length).toBeLessThanOrEqual(10);
    for (let round = 0; round < 10; round++) expect(new Set(order.slice(round * 10, round * 10 + 10)).size).toBe(10);
    expect(order).toHaveLength(190);
  });

  test('a request that is given up frees its place, and its late answer is dropped', async () => {
    const queue = newQueue();
    const { ask, sent } = manualCalls(queue);
    const first = ask('a');
    const second = ask('b');
    queue.giveUp(new ThreadUnavailableError('hung'));
    await expect(first).rejects.toMatchObject({ reason: 'hung' });
    const third = ask('c');
    sent[0]!.answer();
    await Promise.resolve();
    expect(sent.map(({ name }) => name)).toEqual(['a', 'b']);
    sent[1]!.answer();
    expect(await second).toBe('b');
    sent[2]!.answer();
    expect(await third).toBe('c');
  });
});
