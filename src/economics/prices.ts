/** The prices of a model, in US dollars per million tokens. */
export interface PriceRow {
  readonly pattern: RegExp;
  readonly input: number;
  readonly output: number;
  /** Input that the prompt cache contains. */
  readonly cachedRead: number;
  /** Input that is written to the prompt cache, for five minutes and for an hour; the input price if writing is free. */
  readonly cacheWrite: number;
  readonly cacheWriteHour: number;
}

/**
 * The day of the prices. They were not checked against the vendors' pages: compare policies by shares of a bill, and
 * check the rows before you rely on an amount.
 */
export const PRICES_AS_OF = '2025-12-01';

const anthropic = (pattern: RegExp, input: number, output: number): PriceRow => ({
  pattern,
  input,
  output,
  cachedRead: 0.1 * input,
  cacheWrite: 1.25 * input,
  cacheWriteHour: 2 * input,
});

/** A vendor whose cache is automatic and free to write; `cachedRead` differs by model. */
const automatic = (
  pattern: RegExp,
  input: number,
  { output, cachedRead }: { output: number; cachedRead: number },
): PriceRow => ({
  pattern,
  input,
  output,
  cachedRead,
  cacheWrite: input,
  cacheWriteHour: input,
});

/**
 * The first pattern that matches the lower-case name of a model counts. List prices, without discounts and without tiers
 * for long prompts. Pages to check them: https://docs.claude.com/en/docs/about-claude/pricing,
 * https://platform.openai.com/docs/pricing, https://ai.google.dev/gemini-api/docs/pricing.
 */
const PRICES: readonly PriceRow[] = [
  anthropic(/opus-4-?[5-9]|opus-4\.[5-9]/, 5, 25),
  anthropic(/opus/, 15, 75),
  anthropic(/haiku-?4|4\.5-haiku|haiku-4/, 1, 5),
  anthropic(/haiku/, 0.8, 4),
  anthropic(/claude|sonnet/, 3, 15),
  automatic(/gpt-5.*nano/, 0.05, { output: 0.4, cachedRead: 0.005 }),
  automatic(/gpt-5.*mini/, 0.25, { output: 2, cachedRead: 0.025 }),
  automatic(/gpt-5/, 1.25, { output: 10, cachedRead: 0.125 }),
  automatic(/gpt-4\.1-mini/, 0.4, { output: 1.6, cachedRead: 0.1 }),
  automatic(/gpt-4\.1|\bo3\b/, 2, { output: 8, cachedRead: 0.5 }),
  automatic(/gpt-4o-mini/, 0.15, { output: 0.6, cachedRead: 0.075 }),
  automatic(/gpt-4o/, 2.5, { output: 10, cachedRead: 1.25 }),
  automatic(/o4-mini|o3-mini/, 1.1, { output: 4.4, cachedRead: 0.275 }),
  automatic(/gemini.*flash/, 0.3, { output: 2.5, cachedRead: 0.03 }),
  automatic(/gemini-3/, 2, { output: 12, cachedRead: 0.2 }),
  automatic(/gemini/, 1.25, { output: 10, cachedRead: 0.125 }),
];

/** For a model without a row: Claude Sonnet's prices, where a cache miss costs something, so that it shows. */
const USUAL = anthropic(/(?:)/, 3, 15);

/** The prices of a model; Claude Sonnet's for an unknown one. */
export function pricesOf(model: string): PriceRow {
  const name = model.toLowerCase();
  return PRICES.find(({ pattern }) => pattern.test(name)) ?? USUAL;
}
