import { expect, test } from 'vitest';
import type { ComparedFile } from '../../src/lab/compared-file.ts';
import { compareProfiles } from '../../src/lab/comparison.ts';
import { NO_PRUNING } from '../../src/lab/policy.ts';
import { policyTotals } from '../../src/lab/totals.ts';
import { human } from '../strategies/conversation.ts';
import { compared, edit, read } from './fixture.ts';

test('totals add up over sessions and measure each policy against the first', async () => {
  const one = compared(
    human('go'),
    read('r'),
    edit('e1', '  return computeTheFirst();', '  return 1;'),
    edit('e2', '  return computeTheSecond();', '  return 2;'),
  );
  const outcomes = await compareProfiles(one, [NO_PRUNING, { name: 'specification', settings: {} }]);
  const file: ComparedFile = {
    path: 'a',
    copiedCalls: 0,
    contradicted: [],
    sizeBytes: 1,
    format: 'f',
    model: 'm',
    outcomes,
  };
  const [none, specification] = policyTotals([file, file]);
  expect(none).toMatchObject({ sessions: 2, calls: 6, savedRatio: 0, evidencedEdits: 4, regretsPerMillion: null });
  expect(none).toMatchObject({ dollarsRatio: 0, regrets: { edit: 0, rerun: 0, quotation: 0, name: 0 } });
  const saved = 2 * (outcomes[0]!.tokensSent - outcomes[1]!.tokensSent);
  expect(specification!.tokensSent).toBe(none!.tokensSent - saved);
  expect(specification!.savedRatio).toBeCloseTo(saved / none!.tokensSent);
  expect(specification!.regrets.edit).toBe(2);
  expect(specification!.regretsPerMillion).toBeCloseTo((2 / saved) * 1e6);
  expect(policyTotals([])).toEqual([]);
  // Nobody knows the model `m`: dollars are those of sessions that have a price.
  expect(none).toMatchObject({ pricedSessions: 0, dollars: 0, dollarsRatio: 0, dollarsHourRatio: 0 });
  const [mixed] = policyTotals([file, { ...file, model: 'claude-opus-5' }]);
  expect(mixed).toMatchObject({ sessions: 2, pricedSessions: 1, dollars: outcomes[0]!.bill.dollars });
});
