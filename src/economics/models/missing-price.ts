const PLAIN_NAME = /^[\w.:/@[\]-]{1,100}$/;

/** Part of a sentence: of which model no price is known. A name that is none, from a damaged session, is not repeated. */
export const noPriceOf = (model: string): string =>
  `no price of ${PLAIN_NAME.test(model) && model !== 'unknown' ? model : 'this model'} is known`;

/** What follows from models without a price, and where to give one; one sentence. `undefined` for no models. */
export function missingPriceLine(models: readonly string[]): string | undefined {
  const names = [...new Set(models)].map((name) =>
    name === 'unknown' ? 'sessions that name no model' : PLAIN_NAME.test(name) ? name : 'a model with an odd name',
  );
  if (names.length === 0) return undefined;
  return `No price is known of ${names.join(', ')}: no dollars are shown of it, and nothing that its cache may have is changed. Give one in the setting \`model-prices\`, in dollars per million tokens of input, cached read, cache write and output: "my-model 3/0.3/3.75/15".`;
}
