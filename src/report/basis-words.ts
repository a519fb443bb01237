/**
 * What the figures of one session are measured by. Commands, pages and the status line say it in these words; docs/commands.md, "The numbers
 * of a session" explains them.
 */
export const BASIS = {
  /** List prices of the recorded calls at their recorded times, as recorded and as pruned. */
  bill: 'of the bill',
  /** The tokens that all model calls sent. */
  sent: 'tokens of all calls together',
  /** The part of the context that `optimize` removes if the session is written again now. */
  now: 'removable now',
} as const;

/** `−6.0%` or `+1.2%`; undefined if the two bills are about the same. */
export function billChange(before: number, after: number): string | undefined {
  const share = before > 0 ? ((100 * Math.abs(after - before)) / before).toFixed(1) : '0.0';
  return share === '0.0' ? undefined : `${after > before ? '+' : '−'}${share}%`;
}
