import type { PolicyTotals } from '../lab/totals.ts';

/** Everything that a page about policies shows. */
export interface ComparisonReport {
  /** What was compared, for a person: the name of a file or folder. */
  readonly title: string;
  readonly sessions: number;
  readonly sizeBytes: number;
  /** At least one, the others measured against the first. */
  readonly totals: readonly PolicyTotals[];
  /** The same over each set of sessions. */
  readonly sets: readonly { readonly set: string; readonly totals: readonly PolicyTotals[] }[];
  /** The day of the prices, and how far the cost model is from recorded usage, where that can be said. */
  readonly pricesAsOf: string;
  readonly usageNote?: string | undefined;
  /** Files that could not be read. */
  readonly skipped: number;
  readonly version: string;
  /** For a person. */
  readonly madeOn: string;
}

/** Regrets for each edit of text that had been shown, from 0 to 1. */
export const regrettedRatio = ({ regrets, evidencedEdits }: PolicyTotals): number =>
  evidencedEdits === 0 ? 0 : regrets.edit / evidencedEdits;

/** `12.3%`. */
export const share = (ratio: number): string => `${(100 * ratio).toFixed(1)}%`;

/** `+1.2%`, `−3.4%`. */
export function change(ratio: number): string {
  const rounded = Math.abs(100 * ratio).toFixed(1);
  return `${rounded === '0.0' ? '' : ratio > 0 ? '+' : '−'}${rounded}%`;
}

/** `$12.34`. */
export const dollars = (amount: number): string => `$${amount.toFixed(2)}`;
