import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { IContent } from '../../src/content/content.ts';
import { createExactCounter } from '../../src/history/counter.ts';
import type { EntryCount } from '../../src/history/engine.ts';
import { InlineEngine } from '../../src/history/inline-engine.ts';
import { ReplicaLink } from '../../src/offload/replica-link.ts';
import { sharedCount } from '../../src/offload/shared-count.ts';
import { human } from '../history/entries.ts';
import { runs } from '../property-runs.ts';
import { Loopback } from './loopback.ts';

const MODEL = 'gpt-4o';
const request = { model: MODEL, fresh: false, signal: new AbortController().signal };
const inline = (): InlineEngine => new InlineEngine(createExactCounter());

async function collected(counts: AsyncIterable<readonly EntryCount[]>): Promise<EntryCount[]> {
  const all: EntryCount[] = [];
  for await (const batch of counts) all.push(...batch);
  return all;
}

const entriesOf = (words: readonly number[]): IContent[] =>
  words.map((count, index) => human(`${index} ${'some words of it '.repeat(count)}`));

test('the counts are those of one counter, in their order, wherever the thread and the caller meet', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 2_000 }), { minLength: 20, maxLength: 60 }),
      fc.integer({ min: 0, max: 20 }),
      async (words, delayMs) => {
        const entries = entriesOf(words);
        const pool = new Loopback();
        pool.before = () => new Promise((resolve) => setTimeout(resolve, delayMs));
        const caller = inline();
        const link = new ReplicaLink(pool);
        const counts = await collected(sharedCount(entries, request, { link, caller }));
        expect(counts).toEqual(await collected(inline().countEntries(entries, request)));
        await link.release();
      },
    ),
    { numRuns: runs(40) },
  );
});

test('the caller counts everything that a slow thread has not begun, and does not wait for it', async () => {
  const entries = entriesOf(Array.from({ length: 60 }, () => 1_000));
  const pool = new Loopback();
  let goOn = (): void => {};
  pool.before = () =>
    new Promise((resolve) => {
      goOn = resolve;
    });
  const caller = inline();
  const link = new ReplicaLink(pool);
  const counts = await collected(sharedCount(entries, request, { link, caller }));
  expect(counts).toHaveLength(60);
  expect(caller.stats().bytesCountedByCaller).toBeGreaterThan(900_000);
  pool.before = () => {};
  goOn();
  await link.release();
});

test('an entry that the caller cannot count is left to the thread', async () => {
  const entries = entriesOf(Array.from({ length: 60 }, () => 1_000));
  const failing = createExactCounter();
  const caller = new InlineEngine({
    ...failing,
    countEntry: (entry, model) => {
      if (entry === entries[50]) throw new Error('not here');
      return failing.countEntry(entry, model);
    },
  });
  const link = new ReplicaLink(new Loopback());
  const counts = await collected(sharedCount(entries, request, { link, caller }));
  expect(counts).toEqual(await collected(inline().countEntries(entries, request)));
  await link.release();
});

test('what is lost with the thread is thrown, and what was counted is not lost', async () => {
  const entries = entriesOf(Array.from({ length: 60 }, () => 2_000));
  const pool = new Loopback();
  pool.before = () => {
    throw new TypeError('gone');
  };
  const link = new ReplicaLink(pool);
  await expect(collected(sharedCount(entries, request, { link, caller: inline() }))).rejects.toThrow('gone');
  await link.release();
});
