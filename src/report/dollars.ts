/** `$0.62`; three digits below ten cents. */
export const dollars = (amount: number): string => `$${amount.toFixed(amount < 0.1 ? 3 : 2)}`;

/** A change of a bill: `$0.62 less`, `$0.10 more`, `the same bill`. */
export function changeInDollars(before: number, after: number): string {
  const change = after - before;
  if (Math.abs(change) < 0.0005) return 'the same bill';
  return `${dollars(Math.abs(change))} ${change < 0 ? 'less' : 'more'}`;
}
