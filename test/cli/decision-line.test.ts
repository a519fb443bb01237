import { expect, test } from 'vitest';
import { decisionLine } from '../../src/cli/commands/replay/decision-line.ts';

test('calls before which edits waited are counted by why; nothing is said where none waited', () => {
  expect(decisionLine({ decisions: {} })).toBeUndefined();
  expect(decisionLine({ decisions: { none: 3, cold: 4 } })).toBeUndefined();
  expect(decisionLine({ decisions: { bound: 1 } })).toBe(
    'edits waited before 1 call (they would have invalidated signed thinking)',
  );
  expect(decisionLine({ decisions: { costs: 1200, bound: 2, cold: 4 } })).toBe(
    'edits waited before 1,200 calls (they would have cost more than they saved) and 2 calls (they would have invalidated signed thinking)',
  );
});
