import { describe, expect, test } from 'vitest';
import { Lane } from '../../src/offload/lane.ts';
import type { Reply, Request } from '../../src/offload/protocol.ts';
import { ThreadUnavailableError } from '../../src/offload/unavailable.ts';

describe('a lane', () => {
  const request = (historyId: string) => ({ historyId }) as Request;
  /** A lane whose requests are answered by hand. */
  function manualLane(mostWaiting = 100) {
    const sent: { historyId: string; answer: () => void }[] = [];
    const lane: Lane = new Lane(
      (build) =>
        new Promise((resolve) => {
          const { historyId } = build();
          sent.push({ historyId, answer: () => resolve({ historyId } as Reply) });
        }),
      mostWaiting,
    );
    return { lane, sent };
  }

  test('sends one request at a time, in the order they came, and builds each when its turn has come', async () => {
    const { lane, sent } = manualLane();
    const built: string[] = [];
    const ask = (name: string) =>
      lane.enter(() => {
        built.push(name);
        return request(name);
      });
    const [first, second] = [ask('a'), ask('b')];
    expect(built).toEqual(['a']);
    expect(lane.waiting).toBe(1);
    sent[0]!.answer();
    await first;
    await Promise.resolve();
    await Promise.resolve();
    expect(built).toEqual(['a', 'b']);
    sent[1]!.answer();
    expect(await second).toEqual({ historyId: 'b' });
  });

  test('refuses what is too much, and never grows beyond that', async () => {
    const { lane } = manualLane(3);
    const asked = Array.from({ length: 100 }, (_, index) => lane.enter(() => request(`${index}`)));
    const refused = await Promise.allSettled(asked.slice(4));
    expect(lane.waiting).toBe(3);
    expect(refused.every((one) => one.status === 'rejected' && one.reason.reason === 'full')).toBe(true);
  });

  test('of ten histories, one with ten times the work delays each other one by one request at most', async () => {
    const order: string[] = [];
    const lane = new Lane(async (build) => {
      const { historyId } = build();
      order.push(historyId);
      await Promise.resolve();
      return { historyId } as Reply;
    }, 100);
    const work = async (name: string, requests: number): Promise<void> => {
      for (let index = 0; index < requests; index++) await lane.enter(() => request(name));
    };
    await Promise.all([work('large', 100), ...Array.from({ length: 9 }, (_, index) => work(`small-${index}`, 10))]);
    const whileSmallOnesWork = order.slice(0, order.findLastIndex((name) => name !== 'large') + 1);
    // Each round of all ten has each of them once: nobody is asked twice before everybody was asked once.
    expect(whileSmallOnesWork.filter((name) => name === 'large').length).toBeLessThanOrEqual(10);
    for (let round = 0; round < 10; round++) expect(new Set(order.slice(round * 10, round * 10 + 10)).size).toBe(10);
    expect(order).toHaveLength(190);
  });

  test('a request that is given up frees the lane', async () => {
    const order: string[] = [];
    const lane: Lane = new Lane(async (build) => {
      order.push(build().historyId);
      return order.length === 1 ? lane.givenUp() : ({ historyId: 'answered' } as Reply);
    }, 100);
    const [first, second] = [lane.enter(() => request('a')), lane.enter(() => request('b'))];
    lane.giveUp(new ThreadUnavailableError('hung'));
    await expect(first).rejects.toMatchObject({ reason: 'hung' });
    expect(await second).toEqual({ historyId: 'answered' });
  });
});
