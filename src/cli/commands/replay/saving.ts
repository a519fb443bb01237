import { percent } from '../../../report/figures.ts';

/** How much smaller `after` is, as `−31%`; empty if it is not. */
export function saving(before: number, after: number): string {
  return after < before ? `−${percent(before - after, before)}` : '';
}
