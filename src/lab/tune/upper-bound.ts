/** Tail on each side of a 95% interval. */
const TAIL = 0.025;
const STEPS = 60;

/**
 * The upper end of the 95% confidence interval of a share of which `found` of `all` were found (0-1). It takes events as
 * independent. Source: Clopper and Pearson, 1934.
 */
export function upperBound(found: number, all: number): number {
  if (found >= all) return 1;
  let low = found / all;
  let high = 1;
  for (let step = 0; step < STEPS; step++) {
    const middle = (low + high) / 2;
    if (atMost(found, all, middle) > TAIL) low = middle;
    else high = middle;
  }
  return high;
}

/** The least number of events of which none is found, so that the upper bound of their share is at most `ratio` (above 0, below 1). */
export const leastEvents = (ratio: number): number => Math.ceil(Math.log(TAIL) / Math.log1p(-ratio));

/** The chance of at most `found` of `all` events that each happen with this chance. */
function atMost(found: number, all: number, chance: number): number {
  let logTerm = all * Math.log1p(-chance);
  let sum = 0;
  for (let events = 0; events <= found; events++) {
    sum += Math.exp(logTerm);
    logTerm += Math.log((all - events) / (events + 1)) + Math.log(chance) - Math.log1p(-chance);
  }
  return sum;
}
