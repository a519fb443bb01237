/** Fewer than these are whole plays, of which each tries much. */
const FEW = 100;

const shareOf = (all: number, share: number): number =>
  process.env['SEED'] === undefined ? Math.ceil(all / share) : all;

/**
 * How many generated cases a property tries: in `npm test`, whose seed is fixed, a tenth of `all`, or a fifth where they are few; all of them
 * when `SEED` names another seed, as `npm run proof -- seeds` does.
 */
export const runs = (all: number): number => shareOf(all, all < FEW ? 5 : 10);

/** The same for a property that looks for what few generated cases have: a fifth. */
export const runsForRare = (all: number): number => shareOf(all, 5);
