import { expect, test } from 'vitest';
import { editParts, editsOfPart } from '../../../src/offload/transfer/result-parts.ts';
import type { DensityEdit } from '../../../src/strategies/contract.ts';

test('edits are received as they were sent, each reason once in a message', () => {
  const recency = { rule: 'recency', tool: 'glob', retention: 3 } as const;
  const read = { entry: 0, block: 1, callId: 'r' };
  const cause = { file: '/repo/a.ts', call: { entry: 5, block: 0, callId: 'w' } };
  const stale = { rule: 'staleRead', read, causes: [cause] } as const;
  const edits = Array.from(
    { length: 2_000 },
    (_, entry): DensityEdit =>
      entry % 2 === 0
        ? { entry, block: 3, kind: 'replace', reason: recency }
        : { entry, block: 0, kind: 'remove', reason: stale },
  );
  const parts = structuredClone(editParts(edits));
  expect(parts.length).toBeGreaterThan(1);
  expect(parts.map(({ reasons }) => reasons.length)).toEqual(parts.map(() => 2));
  expect(parts.flatMap(editsOfPart)).toEqual(edits);
  expect(editParts([])).toEqual([]);
});
