import type { SessionWorth } from '../../../../lab/played/session-worth.ts';

/** The fields of `--json`; dollars are null where no price of the model is known. */
export function worthRecord({ calls: _, priceMatch, dollarsRaw, dollars, savedBy, ...worth }: SessionWorth): object {
  const known = (amount: number): number | null => (priceMatch === 'unknown' ? null : amount);
  const causes = Object.entries(savedBy).map(([cause, saved]) => [cause, { ...saved, dollars: known(saved.dollars) }]);
  const money = { dollarsRaw: known(dollarsRaw), dollars: known(dollars), priceMatch };
  return { ...worth, ...money, savedBy: Object.fromEntries(causes) };
}
