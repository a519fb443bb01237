import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { noteCall, notedCalls } from '../../src/plugin/noted-calls.ts';
import { runs } from '../property-runs.ts';

const root = mkdtempSync(path.join(tmpdir(), 'density-noted-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const call = fc.record({
  id: fc.oneof(fc.string({ maxLength: 30 }), fc.constant('toolu_01häuser')),
  asked: fc.integer(),
  lines: fc.array(fc.integer(), { maxLength: 40 }).map((hashes) => Int32Array.from(hashes)),
});

test('calls are read as they were noted, up to one of which only a part was written', async () => {
  let files = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 6 }), fc.nat(), async (calls, cut) => {
      const file = path.join(root, `${files++}`, 'session.lines');
      expect(notedCalls(file)).toEqual([]);
      const ends: number[] = [];
      for (const one of calls) {
        await noteCall(file, one);
        ends.push(statSync(file).size);
      }
      expect(notedCalls(file)).toEqual(calls);
      const left = cut % readFileSync(file).length;
      truncateSync(file, left);
      expect(notedCalls(file)).toEqual(calls.slice(0, ends.filter((end) => end <= left).length));
    }),
    { numRuns: runs(60) },
  );
});
