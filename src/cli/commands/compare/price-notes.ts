import { missingPriceLine } from '../../../economics/models/missing-price.ts';
import { PRICES_AS_OF, priceOf } from '../../../economics/prices.ts';
import { printable } from '../../terminal/terminal.ts';

/** Which prices a bill has: the day, guesses, and models that have none. One sentence each. */
export function priceNotes(models: readonly string[]): string[] {
  const names = [...new Set(models)].map((name) => ({ name: printable(name), ...priceOf(name) }));
  const guesses = names.filter(({ match }) => match === 'guess');
  const missing = missingPriceLine([...new Set(models)].filter((name) => priceOf(name).match === 'unknown'));
  return [
    `Bills are simulated at list prices of ${PRICES_AS_OF}.`,
    ...guesses.map(({ name, model }) => `The prices of ${name} are a guess: those of ${model}.`),
    ...(missing === undefined ? [] : [missing]),
  ];
}
