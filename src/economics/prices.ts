import { canonicalModel, shortNameOf } from './model-name.ts';
import { OWN_PRICES } from './own-prices.ts';
import { PRICE_TABLE } from './price-table.ts';

/** US dollars per million tokens. */
export interface Rates {
  /** Input that no cache is involved in. */
  readonly input: number;
  /** Input that the prompt cache contains; the input price if a vendor has no discount. */
  readonly cachedRead: number;
  /** Input that is written to the prompt cache, for five minutes and for an hour; the input price if writing is free. */
  readonly write: number;
  readonly writeHour: number;
  readonly output: number;
}

/** Prices for prompts of more than so many tokens, which then apply to the whole call. */
export interface Tier {
  readonly aboveTokens: number;
  readonly rates: Rates;
}

/** How a name was found: as it is, by the start of its name or a short name (a guess), or not at all. */
export type PriceMatch = 'exact' | 'guess' | 'unknown';

/** What calls of a model cost on a day. */
export interface ModelPrice {
  /** The model of the price table; for an unknown one, the model whose prices are used in its place. */
  readonly model: string;
  readonly vendor: string;
  readonly match: PriceMatch;
  readonly base: Rates;
  /** Absent: prompts of every length cost the same. */
  readonly tier?: Tier;
}

/** The day of the prices where no time is given. */
export const PRICES_AS_OF = '2026-11-22';
/** Used for models without a price, where a cache miss costs something, so that it shows. Callers say so. */
const STAND_IN = 'claude-sonnet-4-5';

interface DatedPrices {
  readonly fromMs: number;
  readonly base: Rates;
  tier?: Tier;
}

interface PricedModel {
  readonly vendor: string;
  readonly model: string;
  /** In ascending order of `fromMs`. */
  readonly prices: readonly DatedPrices[];
}

interface PriceIndex {
  readonly byName: ReadonlyMap<string, PricedModel>;
  /** Names and starts of names that count as a guess, the longest first. */
  readonly starts: readonly { readonly start: string; readonly isOpen: boolean; readonly priced: PricedModel }[];
}

let index: PriceIndex | undefined;

/**
 * What calls of this model cost at a time (milliseconds since 1970; default: `PRICES_AS_OF`). List prices, without
 * discounts. For an unknown model the prices of another one, with `match: 'unknown'`.
 */
export function priceOf(name: string, atMs = Date.parse(PRICES_AS_OF)): ModelPrice {
  index ??= readIndex();
  const canonical = canonicalModel(name);
  const exact = index.byName.get(canonical);
  const found = exact ?? guess(index, canonical);
  const { vendor, model, prices } = found ?? index.byName.get(STAND_IN)!;
  const { base, tier } = prices.findLast(({ fromMs }) => fromMs <= atMs) ?? prices[0]!;
  const match = exact ? 'exact' : found ? 'guess' : 'unknown';
  return { model, vendor, match, base, ...(tier && { tier }) };
}

/** The rates of a whole call with so many tokens of input. */
export function ratesFor({ base, tier }: ModelPrice, promptTokens: number): Rates {
  return tier !== undefined && promptTokens > tier.aboveTokens ? tier.rates : base;
}

/** A longer name counts if the data set says so (`isOpen`), or if what follows is no version. */
function guess({ byName, starts }: PriceIndex, canonical: string): PricedModel | undefined {
  const short = shortNameOf(canonical);
  if (short !== undefined) return byName.get(short);
  return starts.find(({ start, isOpen }) => {
    if (!canonical.startsWith(start)) return false;
    return isOpen || /^-\D/.test(canonical.slice(start.length));
  })?.priced;
}

function readIndex(): PriceIndex {
  const byName = new Map<string, PricedModel>();
  const starts: { start: string; isOpen: boolean; priced: PricedModel }[] = [];
  // Our own rows are read last, so that they replace those of the data set.
  for (const line of `${PRICE_TABLE}${OWN_PRICES}`.split('\n')) {
    const [vendor, model, , prices, names = ''] = line.split('|').map((part) => part.trim());
    if (vendor === undefined || model === undefined || prices === undefined) continue;
    const priced = { vendor, model, prices: readPrices(prices) };
    byName.set(canonicalModel(model), priced);
    starts.push({ start: canonicalModel(model), isOpen: false, priced });
    for (const name of names.split(' ').filter(Boolean)) {
      const start = canonicalModel(name.replace(/\*$/, ''));
      // `claude-4-opus*` means Opus 4 alone, not 4.5: its version is at the end of our name.
      const isOpen = name.endsWith('*') && !/^claude-\d/.test(name);
      starts.push({ start, isOpen, priced });
      if (!byName.has(start)) byName.set(start, priced);
    }
  }
  starts.sort((one, other) => other.start.length - one.start.length);
  return { byName, starts };
}

function readPrices(text: string): readonly DatedPrices[] {
  const dated: DatedPrices[] = [];
  for (const part of text.split(';').map((one) => one.trim())) {
    if (part.startsWith('>')) {
      const [above, ...rates] = part.slice(1).split(' ');
      dated.at(-1)!.tier = { aboveTokens: Number(above), rates: readRates(rates) };
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
