import { canonicalModel, shortNameOf, vendorName } from './model-name.ts';
import { GIVEN, givenModels, givenRows } from './models/given-models.ts';
import { OWN_PRICES } from './models/own-prices.ts';
import { PRICE_TABLE } from './price-table.ts';

/** US dollars per million tokens. */
export interface Rates {
  /** Input that no cache is involved in. */
  readonly input: number;
  /** Input that the prompt cache contains; the input price if a vendor has no discount. */
  readonly cachedRead: number;
  /**
   * Input that is written to the prompt cache, for five minutes and for an hour (OpenAI: for thirty minutes and for twelve hours);
   * the input price if writing is free.
   */
  readonly write: number;
  readonly writeHour: number;
  readonly output: number;
}

/** Prices for prompts of more than so many tokens, which then apply to the whole call. */
interface Tier {
  readonly aboveTokens: number;
  readonly rates: Rates;
}

/** How a name was found: as a name of that model, as a short name such as `sonnet` (a guess), or not at all. */
export type PriceMatch = 'exact' | 'guess' | 'unknown';

/** What calls of a model cost on a day. */
export interface ModelPrice {
  /** The model of the price table; for an unknown one, the model whose prices are used in its place. */
  readonly model: string;
  readonly vendor: string;
  readonly match: PriceMatch;
  readonly base: Rates;
  /** From the shortest prompts to the longest. Absent: prompts of every length cost the same. */
  readonly tiers?: readonly Tier[];
  /** What the rates were multiplied by, if a call was not served in the standard way. */
  readonly surcharges?: readonly Surcharge[];
}

/** Why the rates of a call are not the standard ones. */
export const SURCHARGE_PARTS = ['service', 'region', 'peakHours'] as const;

/** What the rates of a call are multiplied by; below 1 for a discount. */
export interface Surcharge {
  readonly part: (typeof SURCHARGE_PARTS)[number];
  readonly factor: number;
}

/** The day of the prices where no time is given. */
export const PRICES_AS_OF = '2026-11-29';
/** Used for models without a price, where a cache miss costs something, so that it shows. Callers say so. */
const STAND_IN = 'claude-sonnet-4-5';

interface DatedPrices {
  readonly fromMs: number;
  readonly base: Rates;
  tiers?: readonly Tier[];
}

interface PricedModel {
  readonly vendor: string;
  readonly model: string;
  /** In ascending order of `fromMs`. */
  readonly prices: readonly DatedPrices[];
}

/** Every name of every model, and the text of the user's own prices that it was made with. */
interface PriceIndex {
  readonly byName: ReadonlyMap<string, PricedModel>;
  readonly given: string;
}

let index: PriceIndex | undefined;

function byName(): ReadonlyMap<string, PricedModel> {
  const { modelPrices: given } = givenModels();
  if (index?.given !== given) index = { byName: readIndex(given), given };
  return index.byName;
}

/**
 * What calls of this model cost at a time (milliseconds since 1970; default: `PRICES_AS_OF`). List prices, without
 * discounts. For an unknown model the prices of another one, with `match: 'unknown'`: they weigh edits against each other, and
 * no dollars are shown.
 */
export function priceOf(name: string, atMs = Date.parse(PRICES_AS_OF)): ModelPrice {
  const models = byName();
  const canonical = canonicalModel(name);
  const exact = models.get(vendorName(name)) ?? models.get(canonical);
  const guess = exact ?? models.get(shortNameOf(canonical) ?? '');
  const { vendor, model, prices } = guess ?? models.get(STAND_IN)!;
  const { base, tiers } = prices.findLast(({ fromMs }) => fromMs <= atMs) ?? prices[0]!;
  const match = exact ? 'exact' : guess ? 'guess' : 'unknown';
  return { model, vendor, match, base, ...(tiers && guess && { tiers }) };
}

/** True if a table of ours has the model; a price that the user gave says nothing else of it. */
export function isListed(name: string): boolean {
  const { match, vendor } = priceOf(name);
  return match !== 'unknown' && vendor !== GIVEN;
}

/** The rates of a whole call with so many tokens of input. */
export function ratesFor({ base, tiers }: ModelPrice, promptTokens: number): Rates {
  return tiers?.findLast(({ aboveTokens }) => promptTokens > aboveTokens)?.rates ?? base;
}

/** All names. A `*` of the data set is left out: it lets a later version or another model take the price of this one. */
function readIndex(given: string): ReadonlyMap<string, PricedModel> {
  const listed = new Map<string, PricedModel>();
  // Our own rows replace those of the data set, and the user's replace both.
  const rows = [...PRICE_TABLE.split('\n'), ...OWN_PRICES.map(({ row }) => row), ...givenRows(given)];
  for (const line of rows) {
    const [vendor, model, , prices, names = ''] = line.split('|').map((part) => part.trim());
    if (vendor === undefined || model === undefined || prices === undefined) continue;
    const name = vendorName(model);
    // A price of the user's says what a model costs, not whose it is.
    const owner = vendor === GIVEN ? (listed.get(name)?.vendor ?? GIVEN) : vendor;
    const priced = { vendor: owner, model, prices: readPrices(prices) };
    listed.set(name, priced);
    for (const name of names.split(' ').filter(Boolean)) {
      const alias = vendorName(name.replace(/\*$/, ''));
      if (!listed.has(alias)) listed.set(alias, priced);
    }
  }
  const found = new Map(listed);
  for (const [name, priced] of listed) {
    const canonical = canonicalModel(name);
    if (!found.has(canonical)) found.set(canonical, priced);
  }
  return found;
}

function readPrices(text: string): readonly DatedPrices[] {
  const dated: DatedPrices[] = [];
  for (const part of text.split(';').map((one) => one.trim())) {
    if (part.startsWith('>')) {
      const [above, ...rates] = part.slice(1).split(' ');
      const priced = dated.at(-1)!;
      priced.tiers = [...(priced.tiers ?? []), { aboveTokens: Number(above), rates: readRates(rates) }];
      continue;
    }
    const words = part.split(' ');
    const date = part.startsWith('@') ? words.shift()?.slice(1) : undefined;
    dated.push({ fromMs: date === undefined ? Number.NEGATIVE_INFINITY : Date.parse(date), base: readRates(words) });
  }
  return dated;
}

function readRates(texts: readonly string[]): Rates {
  const [input = 0, cachedRead = input, write = input, writeHour = write, output = input] = texts.map((text) =>
    text === '-' ? undefined : Number(text),
  );
  return { input, cachedRead, write, writeHour, output };
}
