import { expect, test } from 'vitest';
import { compareFile } from '../../src/lab/compared-file.ts';
import { billedFile } from '../../src/lab/files/billed-file.ts';
import { DEFAULT_PROFILES } from '../../src/lab/policy.ts';
import { realSession } from '../real-sessions.ts';

/** Its prompts come near the model's window, which is part of deciding when pruning pays; nothing is compressed in it. */
const file = realSession('EntityProcess-agentv__019f17a5-6d3.jsonl');
if (!file) console.log('The recorded sessions of 2026 are absent: the test on one of them is skipped.');

test.skipIf(!file)('`bill` and `compare` say the same of a session with `recommended`', async () => {
  const policies = DEFAULT_PROFILES.filter(({ name }) => ['no-pruning', 'recommended'].includes(name));
  const { bill } = await billedFile({ path: file! });
  const [without, recommended] = (await compareFile({ path: file!, policies })).outcomes;
  expect([without!.compressions, recommended!.compressions]).toEqual([0, 0]);
  expect(bill!.without).toBeCloseTo(without!.bill.dollars, 4);
  expect(bill!.recommended).toBeCloseTo(recommended!.bill.dollars, 4);
});
