import { expect, test } from 'vitest';
import { decisionLine } from '../../src/cli/commands/replay/decision-line.ts';

test('calls before which edits waited are counted by why; nothing is said where none waited', () => {
  expect(decisionLine({ decisions: {} })).toBeUndefined();
  expect(decisionLine({ decisions: { none: 3, cold: 4 } })).toBeUndefined();
  expect(decisionLine({ decisions: { bound: 1 } })).toBe(
    'older text was not always removed: at 1 call it would have invalidated signed thinking',
  );
  expect(decisionLine({ decisions: { costs: 1200, bound: 2, cold: 4 } })).toBe(
    'older text was not always removed: at 1,200 calls that would have cost more than it saved, and at 2 calls it would have invalidated signed thinking',
  );
});
