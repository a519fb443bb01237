export { counted, grouped } from '../content/counted.ts';

const UNITS: readonly (readonly [size: number, letter: string])[] = [
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
];

/** Three digits at most: `950`, `12.3k`, `1.4M`. */
export function compact(value: number): string {
  // 999,500 rounds to 1.0M, not to 1000k.
  const [unit, letter] = UNITS.find(([size]) => Math.abs(value) >= size * 0.9995) ?? [];
  if (unit === undefined) return String(Math.round(value));
  const scaled = value / unit;
  return `${scaled.toFixed(Math.abs(scaled) < 99.95 ? 1 : 0)}${letter}`;
}

/** `1 token`, `12.3k tokens`. */
export const compactTokens = (count: number): string => `${compact(count)} ${count === 1 ? 'token' : 'tokens'}`;

/** A part of a whole as `42%`; `<1%` if it is not zero but rounds to zero. */
export function percent(part: number, whole: number): string {
  if (whole <= 0 || part === 0) return '0%';
  const value = (part / whole) * 100;
  if (Math.abs(value) < 0.5) return '<1%';
  return `${Math.round(value)}%`;
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
  return `${amount < 0 ? '−' : ''}$${size.toFixed(size > 0 && size < 0.1 ? 3 : 2)}`;
}

/** A change of a bill: `$0.62 less`, `$0.10 more`, `the same bill`. */
export function changeInDollars(before: number, after: number): string {
  const change = after - before;
  if (Math.abs(change) < 0.0005) return 'the same bill';
  return `${dollars(Math.abs(change))} ${change < 0 ? 'less' : 'more'}`;
}
