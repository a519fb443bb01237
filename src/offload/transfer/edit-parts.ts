import type { DensityEdit } from '../../strategies/contract.ts';
import type { EditReason } from '../../strategies/edit-reason.ts';
import type { EditsPart } from '../protocol.ts';

const EDITS_PER_PART = 512;
/** Of each edit: entry, block, whether it replaces, and the number of its reason. */
const NUMBERS_PER_EDIT = 4;
/** About what a reason takes in a message, and each call that it names. */
const REASON_BYTES = 128;
const CAUSE_BYTES = 96;

/** Edits as they are sent: numbers, and each reason once. Linear. */
export function editParts(edits: readonly DensityEdit[]): EditsPart[] {
  const parts: EditsPart[] = [];
  for (let from = 0; from < edits.length; from += EDITS_PER_PART) {
    parts.push(editsPart(edits.slice(from, from + EDITS_PER_PART)));
  }
  return parts;
}

function editsPart(edits: readonly DensityEdit[]): EditsPart {
  const numbers = new Int32Array(edits.length * NUMBERS_PER_EDIT);
  const reasons = new Map<EditReason, number>();
  for (const [at, { entry, block, kind, reason }] of edits.entries()) {
    const known = reasons.get(reason) ?? reasons.size;
    reasons.set(reason, known);
    numbers.set([entry, block, kind === 'replace' ? 1 : 0, known], at * NUMBERS_PER_EDIT);
  }
  return { edits: numbers, reasons: [...reasons.keys()] };
}

/** The edits that a part was made of. */
export function editsOfPart({ edits, reasons }: EditsPart): DensityEdit[] {
  return Array.from({ length: edits.length / NUMBERS_PER_EDIT }, (_, at) => {
    const [entry, block, replaces, reason] = edits.subarray(at * NUMBERS_PER_EDIT, (at + 1) * NUMBERS_PER_EDIT);
    return { entry: entry!, block: block!, kind: replaces === 1 ? 'replace' : 'remove', reason: reasons[reason!]! };
  });
}

/** About what a part takes in a message. */
export function editsPartBytes({ edits, reasons }: EditsPart): number {
  const causes = reasons.reduce((sum, reason) => sum + ('causes' in reason ? reason.causes.length : 0), 0);
  return edits.byteLength + REASON_BYTES * reasons.length + CAUSE_BYTES * causes;
}
