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
