/** Created for the first fraction: it takes 20 to 45 ms to load, which the first request of `density wrap` would wait for. */
let fractions: Intl.NumberFormat | undefined;

/** `1234567` → `1,234,567`; at most three digits after the point. */
export function grouped(value: number): string {
  // Bounded text: at most 16 digits and a sign.
  if (Number.isSafeInteger(value)) return String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');
  fractions ??= new Intl.NumberFormat('en-US');
  return fractions.format(value);
}

/** `1 turn`, `2 turns`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${grouped(count)} ${count === 1 ? one : many}`;
