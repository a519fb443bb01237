const EIGHTHS = '▁▂▃▄▅▆▇█';

/** At most `buckets` values of a series, the largest of each stretch of it: no peak is lost. */
export function peaks(values: readonly number[], buckets: number): number[] {
  if (values.length <= buckets) return [...values];
  return Array.from({ length: buckets }, (_, bucket) => {
    const from = Math.floor((bucket * values.length) / buckets);
    const to = Math.floor(((bucket + 1) * values.length) / buckets);
    return values.slice(from, to).reduce((most, value) => Math.max(most, value), 0);
  });
}

/** A curve in one line, one column for each value in eighths of `top`; nothing is a blank. */
export function sparkline(values: readonly number[], top: number): string {
  return values
    .map((value) => {
      if (value <= 0 || top <= 0) return ' ';
      const eighths = Math.ceil((Math.min(value, top) / top) * EIGHTHS.length);
      return EIGHTHS[Math.max(1, eighths) - 1];
    })
    .join('');
}
