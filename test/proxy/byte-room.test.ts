import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ByteRoom, type Place } from '../../src/proxy/intake/byte-room.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const never = new AbortController().signal;
const room = (): ByteRoom => new ByteRoom({ mostBytes: 100, mostOfOwner: 60, waitMs: 10_000 });

/** Who was let in, in order; undefined for those who gave up. */
function entering(to: ByteRoom): {
  readonly seen: string[];
  readonly places: Map<string, Place>;
  readonly ask: (bytes: number, owner: string, signal?: AbortSignal) => Promise<void>;
} {
  const seen: string[] = [];
  const places = new Map<string, Place>();
  const ask = async (bytes: number, owner: string, signal = never): Promise<void> => {
    const place = await to.enter(bytes, owner, signal);
    seen.push(place ? owner : `${owner} gave up`);
    if (place) places.set(owner, place);
  };
  return { seen, places, ask };
}
const settled = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);

test('works wait in their order until those before them give bytes back', async () => {
  const own = room();
  const { seen, places, ask } = entering(own);
  for (const [bytes, owner] of [
    [60, 'a'],
    [50, 'b'],
    [10, 'c'],
  ] as const)
    void ask(bytes, owner);
  await settled();
  expect([seen, own.takenBytes]).toEqual([['a'], 60]);
  places.get('a')!.shrink(40);
  await settled();
  expect([seen, own.takenBytes]).toEqual([['a', 'b', 'c'], 100]);
  for (const place of places.values()) place.leave();
  places.get('a')!.leave();
  expect(own.takenBytes).toBe(0);
});

test('an owner that has its part does not keep out the others', async () => {
  const { seen, places, ask } = entering(room());
  for (const [bytes, owner] of [
    [50, 'a'],
    [50, 'a'],
    [40, 'b'],
  ] as const)
    void ask(bytes, owner);
  await settled();
  expect(seen).toEqual(['a', 'b']);
  places.get('a')!.leave();
  await settled();
  expect(seen).toEqual(['a', 'b', 'a']);
});

test('what is larger than all room enters alone', async () => {
  const { seen, places, ask } = entering(room());
  for (const [bytes, owner] of [
    [500, 'a'],
    [1, 'b'],
  ] as const)
    void ask(bytes, owner);
  await settled();
  expect(seen).toEqual(['a']);
  places.get('a')!.leave();
  await settled();
  expect(seen).toEqual(['a', 'b']);
});

test('a work that waits for ten seconds, or is not wanted any more, gives up, and those behind it have its turn', async () => {
  const { seen, ask } = entering(room());
  const left = new AbortController();
  void ask(50, 'a');
  void ask(90, 'b', left.signal);
  void ask(40, 'c');
  await settled();
  expect(seen).toEqual(['a']);
  left.abort();
  await settled();
  expect(seen).toEqual(['a', 'b gave up', 'c']);
  void ask(90, 'd');
  await vi.advanceTimersByTimeAsync(9_999);
  expect(seen).toHaveLength(3);
  await vi.advanceTimersByTimeAsync(1);
  expect(seen.at(-1)).toBe('d gave up');
});
