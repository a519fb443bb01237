export { counted, grouped } from '../content/counted.ts';

const UNITS: readonly (readonly [size: number, letter: string])[] = [
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
];

/** Three digits at most: `950`, `12.3k`, `1.4M`, `−3.6k`. */
export function compact(value: number): string {
  if (value < 0) return `−${compact(-value)}`;
  // 999,500 rounds to 1.0M, not to 1000k.
  const [unit, letter] = UNITS.find(([size]) => value >= size * 0.9995) ?? [];
  if (unit === undefined) return String(Math.round(value));
  const scaled = value / unit;
  return `${scaled.toFixed(scaled < 99.95 ? 1 : 0)}${letter}`;
}

/** `1 token`, `12.3k tokens`. */
export const compactTokens = (count: number): string => `${compact(count)} ${count === 1 ? 'token' : 'tokens'}`;

/** A part of a whole as `42%`, at least `0%` and at most `100%`; `<1%` if it is not zero but rounds to zero. */
export const percent = (part: number, whole: number): string => fullness(Math.min(part, whole), whole);

/** How full a window is, as `42%`. A prompt can be larger than its window: this may be more than 100%. */
export function fullness(tokens: number, window: number): string {
  if (!(tokens > 0 && window > 0)) return '0%';
  const value = (tokens / window) * 100;
  return value < 0.5 ? '<1%' : `${Math.round(value)}%`;
}

/** `0.4 ms`, `12 ms`, `3.2 s`. */
export function duration(milliseconds: number): string {
  if (milliseconds >= 1000) return `${(milliseconds / 1000).toFixed(1)} s`;
  return `${milliseconds.toFixed(milliseconds < 10 ? 1 : 0)} ms`;
}

/** `12 kB`, `3.4 MB`; units of a thousand. */
export function byteSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1e6 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** `$0.62`, `−$1.50`, `$0.00`; three digits below ten cents. */
export function dollars(amount: number): string {
  const size = Math.abs(amount);
  const digits = size.toFixed(size >= 0.0005 && size < 0.1 ? 3 : 2);
  return `${amount < 0 && Number(digits) > 0 ? '−' : ''}$${digits}`;
}

/** A change of a bill: `$0.62 less`, `$0.10 more`, `the same bill`. */
export function changeInDollars(before: number, after: number): string {
  const change = after - before;
  if (Math.abs(change) < 0.0005) return 'the same bill';
  return `${dollars(Math.abs(change))} ${change < 0 ? 'less' : 'more'}`;
}
