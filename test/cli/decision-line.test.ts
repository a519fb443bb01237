import { expect, test } from 'vitest';
import { decisionLine } from '../../src/cli/commands/replay/decision-line.ts';

test('a replay says before how many calls edits waited or applied, and why', () => {
  expect(decisionLine({ decisions: {} })).toBeUndefined();
  // No edits were found.
  expect(decisionLine({ decisions: { none: 3 } })).toBeUndefined();
  expect(decisionLine({ decisions: { bound: 1 } })).toBe(
    'edits waited before 1 call (they would invalidate signed thinking)',
  );
  expect(decisionLine({ decisions: { costs: 1200, cold: 4, pays: 2 } })).toBe(
    'edits waited before 1,200 calls (they would cost more than they save) and were applied before 6 calls (the cache had expired: 4, they pay for the rewritten cache: 2)',
  );
});
