const EIGHTHS = '▁▂▃▄▅▆▇█';

/** At most `buckets` values: the largest of each stretch of a series, so that no peak is lost. */
export function peaks(values: readonly number[], buckets: number): number[] {
  if (values.length <= buckets) return [...values];
  return Array.from({ length: buckets }, (_, bucket) => {
    const from = Math.floor((bucket * values.length) / buckets);
    const to = Math.floor(((bucket + 1) * values.length) / buckets);
    return values.slice(from, to).reduce((most, value) => Math.max(most, value), 0);
  });
}

/** A curve in one line: one column per value, in eighths of `top`. 0 is a blank. */
export function sparkline(values: readonly number[], top: number): string {
  return values
    .map((value) => {
      if (value <= 0 || top <= 0) return ' ';
      const eighths = Math.ceil((Math.min(value, top) / top) * EIGHTHS.length);
      return EIGHTHS[Math.max(1, eighths) - 1];
    })
    .join('');
}
