import type { PolicyTotals } from '../lab/totals.ts';

export interface ComparisonReport {
  /** What was compared, for a person: the name of a file or folder. */
  readonly title: string;
  readonly sessions: number;
  readonly sizeBytes: number;
  /** At least one; the others are compared with the first. */
  readonly totals: readonly PolicyTotals[];
  /** The same for each set of sessions. */
  readonly sets: readonly { readonly set: string; readonly totals: readonly PolicyTotals[] }[];
  /** Which prices the bills have, in sentences. */
  readonly priceNotes: readonly string[];
  /** The error of the cost model; absent without recorded usage. */
  readonly usageNote?: string | undefined;
  /** Calls that are copies of another session's, and count there. */
  readonly copiedCalls: number;
  /** The number of unreadable files. */
  readonly skipped: number;
  readonly version: string;
  /** A date, for a person. */
  readonly madeOn: string;
}

/** Regrets per edit of text that was shown before, 0-1. */
export const regrettedRatio = ({ regrets, evidencedEdits }: PolicyTotals): number =>
  evidencedEdits === 0 ? 0 : regrets.edit / evidencedEdits;

/** `12.3%`, `−3.4%`. */
export const share = (ratio: number): string => change(ratio).replace('+', '');

/** `+1.2%`, `−3.4%`. */
export function change(ratio: number): string {
  const rounded = Math.abs(100 * ratio).toFixed(1);
  return `${rounded === '0.0' ? '' : ratio > 0 ? '+' : '−'}${rounded}%`;
}
