import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { garbageOfBodies } from '../../src/fleet/team/garbage.ts';
import { requestMemory } from '../../src/proxy/intake/request-memory.ts';

const MEGABYTE = 1024 * 1024;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('is collected twice once nothing comes any more, also after one body of 5 MB, and not after small ones', async () => {
  const collect = vi.fn();
  const garbage = garbageOfBodies(collect);
  for (let at = 0; at < 30; at++) garbage.add(100_000);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(collect).not.toHaveBeenCalled();
  for (const time of [1, 2]) {
    garbage.add(5 * MEGABYTE);
    await vi.advanceTimersByTimeAsync(4_000);
    garbage.add(100);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(collect).toHaveBeenCalledTimes(2 * time);
  }
});

test('is collected between large bodies', async () => {
  const collect = vi.fn();
  const garbage = garbageOfBodies(collect);
  for (let at = 0; at < 8; at++) {
    garbage.add(32 * MEGABYTE);
    await vi.advanceTimersByTimeAsync(1);
  }
  expect(collect).toHaveBeenCalledTimes(2);
  garbage.close();
});

test('a body is done with when it is sent, and again when nothing looks at it any more', async () => {
  const done: number[] = [];
  const memory = requestMemory((bytes) => done.push(bytes)).of('user');
  const { signal } = new AbortController();
  const read = await memory.toRead(5, signal);
  const looked = await memory.toLook(7, signal);
  read?.leave();
  expect(done).toEqual([5]);
  looked?.shrink(1);
  looked?.leave();
  expect(done).toEqual([5, 7]);
});
