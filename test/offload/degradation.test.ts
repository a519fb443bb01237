import { expect, test } from 'vitest';
import { createExactCounter } from '../../src/history/counter.ts';
import { InlineEngine } from '../../src/history/inline-engine.ts';
import { Degradation } from '../../src/offload/degradation.ts';
import { OffloadedEngine } from '../../src/offload/offloaded-engine.ts';
import { ThreadUnavailableError } from '../../src/threads/unavailable.ts';
import { human } from '../history/entries.ts';
import { Loopback } from './loopback.ts';

test('is told once, until threads serve again, and so is that', () => {
  const told: string[] = [];
  const degradation = new Degradation(() => ({
    degraded: () => void told.push('degraded'),
    restored: () => void told.push('restored'),
    progressed: () => {},
  }));
  const lost = new ThreadUnavailableError('crashed');
  degradation.end();
  for (let time = 0; time < 2; time++) {
    degradation.begin(lost);
    degradation.begin(lost);
    degradation.end();
    degradation.end();
  }
  expect(told).toEqual(['degraded', 'restored', 'degraded', 'restored']);
});

test('counts that the caller made before a thread answered do not end it', async () => {
  const told: string[] = [];
  const pool = new Loopback();
  const engine = new OffloadedEngine({ pool, fallback: new InlineEngine(createExactCounter()) });
  const entries = Array.from({ length: 60 }, (_, index) => human(`${index} ${'some words of it '.repeat(1_000)}`));
  const served = { entries, model: 'gpt-4o', hasCount: () => false, keepCount: () => {} };
  engine.serve(served, {
    degraded: () => void told.push('degraded'),
    restored: () => void told.push('restored'),
    progressed: () => {},
  });
  const count = async (): Promise<number> => {
    let counted = 0;
    const request = { model: 'gpt-4o', fresh: true, signal: new AbortController().signal };
    for await (const batch of engine.countEntries(entries, request)) counted += batch.length;
    return counted;
  };
  pool.before = () => {
    throw new ThreadUnavailableError('failed-to-load');
  };
  expect(await engine.countText('short', 'gpt-4o')).toBeGreaterThan(0);
  expect(told).toEqual(['degraded']);
  let fail = (): void => {};
  pool.before = () => new Promise((_, reject) => (fail = () => reject(new ThreadUnavailableError('failed-to-load'))));
  expect(await count()).toBe(60);
  expect(told).toEqual(['degraded']);
  pool.before = () => {};
  fail();
  expect(await engine.countText('short', 'gpt-4o')).toBeGreaterThan(0);
  expect(told).toEqual(['degraded', 'restored']);
  await engine.dispose();
});
