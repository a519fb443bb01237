import { groupBy } from '../../../content/group-by.ts';
import { PRICES_AS_OF, priceOf } from '../../../economics/prices.ts';
import { printable } from '../../terminal/printable.ts';

/** Which prices a bill has: the day, guesses, and models that have the prices of another one. One sentence each. */
export function priceNotes(models: readonly string[]): string[] {
  const names = [...new Set(models)].map((name) => ({ name: printable(name), ...priceOf(name) }));
  const guesses = names.filter(({ match }) => match === 'guess');
  const unknown = groupBy(
    names.filter(({ match }) => match === 'unknown'),
    ({ model }) => model,
  );
  return [
    `Bills are simulated at list prices of ${PRICES_AS_OF}.`,
    ...guesses.map(({ name, model }) => `The prices of ${name} are a guess: those of ${model}.`),
    ...[...unknown].map(
      ([model, own]) =>
        `No price is known for ${own.map(({ name }) => (name === 'unknown' ? 'sessions that name no model' : name)).join(', ')}: those of ${model} stand in.`,
    ),
  ];
}
