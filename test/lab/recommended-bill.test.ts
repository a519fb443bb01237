import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { compareFile } from '../../src/lab/compared-file.ts';
import { billedFile } from '../../src/lab/files/billed-file.ts';
import { DEFAULT_PROFILES } from '../../src/lab/policy.ts';
import { realSession } from '../real-sessions.ts';

const EXAMPLE = path.resolve(import.meta.dirname, '../../src/sessions/example-session.jsonl');
/** Its contexts come near the model's window, which decides when pruning pays. */
const NEAR_WINDOW = realSession('EntityProcess-agentv__019f17a5-6d3.jsonl');
const policies = DEFAULT_PROFILES.filter(({ name }) => ['no-pruning', 'recommended'].includes(name));

describe('the simulated bill of a session with `recommended`', () => {
  test.each([EXAMPLE, ...(NEAR_WINDOW ? [NEAR_WINDOW] : [])])(
    'is the same in `bill` and `compare`: %s',
    async (file) => {
      const { bill } = await billedFile({ path: file });
      const [without, recommended] = (await compareFile({ path: file, policies })).outcomes;
      expect([without!.compressions, recommended!.compressions]).toEqual([0, 0]);
      expect(bill!.without).toBeCloseTo(without!.bill.dollars, 4);
      expect(bill!.recommended).toBeCloseTo(recommended!.bill.dollars, 4);
    },
  );
});
