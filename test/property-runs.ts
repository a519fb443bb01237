/**
 * How many generated cases a property tries: a fifth of `all` in `npm test`, whose seed is fixed; all of them when `SEED` names
 * another seed, as `npm run proof -- seeds` does.
 */
export const runs = (all: number): number => (process.env['SEED'] === undefined ? Math.ceil(all / 5) : all);
