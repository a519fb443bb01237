/** One measured figure. `id` starts with the name of its bench file; `n` is the number of its samples. */
export interface Row {
  readonly id: string;
  readonly unit:
    | 'MB/s'
    | 'tokens/s'
    | 'turns/s'
    | 'ms'
    | 'ratio'
    | 'count'
    | 'tokens'
    | 'dollars'
    | 'percent'
    | 'bytes'
    | 'MB';
  readonly median: number;
  readonly min: number;
  readonly max: number;
  readonly n: number;
}

/** The middle of the values, the mean of the two middle ones when their number is even; NaN for none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (sorted.length % 2 === 1) return sorted[middle] as number;
  return ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;
}

/** The smallest value that at least `share` (0–1) of all values do not exceed; NaN for none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** A row made of samples, rounded to four significant digits. */
export function rowOf(id: string, unit: Row['unit'], samples: readonly number[]): Row {
  const round = (value: number): number => Number(value.toPrecision(4));
  return {
    id,
    unit,
    median: round(median(samples)),
    min: round(Math.min(...samples)),
    max: round(Math.max(...samples)),
    n: samples.length,
  };
}
