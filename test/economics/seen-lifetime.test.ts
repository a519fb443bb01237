import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NOTHING_SEEN, type SeenPause, seenAfter } from '../../src/economics/account/seen-lifetime.ts';

const PAUSES = fc.array(fc.record({ idleMs: fc.nat(100), isFound: fc.boolean() }));
const seen = (pauses: readonly SeenPause[]) => pauses.reduce(seenAfter, NOTHING_SEEN);

test('a prefix counts as lost only after pauses longer than all after which it was found', () => {
  fc.assert(
    fc.property(PAUSES, (pauses) => {
      const { foundAfterMs, lostAfterMs } = seen(pauses);
      const found = pauses.filter(({ isFound }) => isFound).map(({ idleMs }) => idleMs);
      expect(foundAfterMs).toBe(Math.max(0, ...found));
      const lost = pauses.filter(({ isFound, idleMs }) => !isFound && idleMs > foundAfterMs);
      if (lostAfterMs === undefined) return;
      expect(lost.map(({ idleMs }) => idleMs)).toContain(lostAfterMs);
    }),
  );
});

test('the shortest pause that lost it counts, until it is found after a longer one', () => {
  const pauses = [20, 30, 10].map((idleMs) => ({ idleMs, isFound: false }));
  expect(seen(pauses).lostAfterMs).toBe(10);
  expect(seen([...pauses, { idleMs: 15, isFound: true }]).lostAfterMs).toBeUndefined();
  expect(seen([{ idleMs: 15, isFound: true }, ...pauses]).lostAfterMs).toBe(20);
});
