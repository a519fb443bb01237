import { expect, test } from 'vitest';
import { DAY_MS } from '../../../src/durations.ts';
import { memoryStore } from '../../../src/live/memory-store.ts';
import { HeldBytes } from '../../../src/proxy/warm/held-bytes.ts';
import { PingDays } from '../../../src/proxy/warm/ping-days.ts';

const days = () => {
  const time = { at: new Date(2026, 10, 29, 12).getTime() };
  const store = memoryStore();
  const make = (dollarsPerDay = 1): PingDays => new PingDays({ store, dollarsPerDay, now: () => time.at });
  return { time, make };
};

test('all who share a store spend the amount of a day together, by what pings cost in the end', async () => {
  const { make, time } = days();
  const [one, other] = [make(), make()];
  const settle = await one.reserve('a', 0.6);
  expect(await other.reserve('a', 0.6)).toBeUndefined();
  await settle?.({ dollars: 0.3, isHit: true });
  expect(await other.reserve('b', 0.6)).toBeTypeOf('function');
  expect(await one.reserve('a', 0.2)).toBeUndefined();
  time.at += DAY_MS;
  expect(await one.reserve('a', 0.2)).toBeTypeOf('function');
});

test('an amount of 0 forbids all', async () => {
  const { make } = days();
  expect(await make(0).reserve('a', 0.001)).toBeUndefined();
});

test('two pings in a row that read too little end those of the same model and account until tomorrow', async () => {
  const { make, time } = days();
  const all = make();
  for (const isHit of [false, true, false]) await (await all.reserve('a', 0.01))?.({ dollars: 0.01, isHit });
  const last = await all.reserve('a', 0.01);
  await last?.({ dollars: 0.01 });
  // What is not known of a ping does not count.
  await (await all.reserve('a', 0.01))?.({ dollars: 0.01, isHit: false });
  expect(await make().reserve('a', 0.01)).toBeUndefined();
  expect(await all.reserve('b', 0.01)).toBeTypeOf('function');
  time.at += DAY_MS;
  expect(await all.reserve('a', 0.01)).toBeTypeOf('function');
});

test('a process holds only as much as it says', () => {
  const held = new HeldBytes(100);
  const giveBack = held.take(60);
  expect(held.take(60)).toBeUndefined();
  giveBack?.();
  giveBack?.();
  expect(held.bytes).toBe(0);
  expect(new HeldBytes().take(35 * 1024 * 1024)).toBeUndefined();
});
