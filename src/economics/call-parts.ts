import type { BilledBeside } from '../content/content.ts';
import { type BilledTokens, callDollars, promptOf } from './bill.ts';
import { toolDollars } from './models/tool-prices.ts';
import { type ModelPrice, priceOf, ratesFor, SURCHARGE_PARTS } from './prices.ts';
import { servedPrice, type UnpricedPart } from './served-price.ts';

/** Those that are counted in tokens. */
export const TOKEN_PARTS = ['input', 'cachedInput', 'cacheWrites', 'longCacheWrites', 'output'] as const;

/** What a call is billed for: tokens at standard prices, what was added to these, and what has prices of its own. */
export const CALL_PARTS = [...TOKEN_PARTS, ...SURCHARGE_PARTS, 'innerCalls', 'serverTools'] as const;
export type CallPart = (typeof CALL_PARTS)[number];

/** Tokens, calls or uses, and US dollars. */
export interface PartCost {
  readonly count: number;
  readonly dollars: number;
}

/** What a call cost by its parts; a part that was not billed is absent. The dollars of the parts sum up to those of the call. */
export interface CallCost {
  readonly price: ModelPrice;
  readonly dollars: number;
  /** The part of them that the tokens of the prompt and of the answer do not change. */
  readonly besideDollars: number;
  readonly parts: Readonly<Partial<Record<CallPart, PartCost>>>;
  readonly unpriced: readonly UnpricedPart[];
}

interface PricedCall {
  readonly model: string;
  /** Milliseconds since 1970, if it is known. */
  readonly atMs?: number | undefined;
  readonly tokens: BilledTokens;
  readonly beside: BilledBeside;
}

/** What a call cost, at list prices of its day. */
export function callCost({ model, atMs, tokens, beside }: PricedCall): CallCost {
  const { price, unpriced } = servedPrice(priceOf(model, atMs), { ...beside, atMs });
  const inner = innerCalls(model, atMs, beside);
  const tools = serverTools(price, beside);
  const parts = { ...tokenParts(price, tokens), ...inner.parts, ...tools.parts };
  const besideDollars = besideDollarsOf(inner, tools);
  return {
    price,
    dollars: callDollars(price, tokens) + besideDollars,
    besideDollars,
    parts,
    unpriced: [...unpriced, ...inner.unpriced, ...tools.unpriced],
  };
}

/** The price of a call that was served as this one was, and what it cost beside its tokens: both are equal for any other prompt. */
export function likeCall(
  price: ModelPrice,
  { atMs, beside = {} }: { readonly atMs: number | undefined; readonly beside: BilledBeside | undefined },
): Pick<CallCost, 'price' | 'besideDollars'> {
  const inner = innerCalls(price.model, undefined, beside);
  const tools = serverTools(price, beside);
  return { price: servedPrice(price, { ...beside, atMs }).price, besideDollars: besideDollarsOf(inner, tools) };
}

type Parts = CallCost['parts'];
type Priced = Pick<CallCost, 'parts' | 'unpriced'>;

const besideDollarsOf = (inner: Priced, tools: Priced): number =>
  (inner.parts.innerCalls?.dollars ?? 0) + (tools.parts.serverTools?.dollars ?? 0);

/** Tokens at standard rates, and then what each surcharge adds to all before it. */
function tokenParts(price: ModelPrice, tokens: BilledTokens): Parts {
  const rates = ratesFor(price, promptOf(tokens));
  const { surcharges = [] } = price;
  const all = surcharges.reduce((product, { factor }) => product * factor, 1);
  const cost = (count: number, rate: number): PartCost => ({ count, dollars: (count * rate) / all / 1e6 });
  const standard = {
    input: cost(tokens.uncachedTokens, rates.input),
    cachedInput: cost(tokens.cachedTokens, rates.cachedRead),
    cacheWrites: cost(tokens.writtenTokens, rates.write),
    longCacheWrites: cost(tokens.writtenHourTokens, rates.writeHour),
    output: cost(tokens.outputTokens, rates.output),
  };
  const parts: Partial<Record<CallPart, PartCost>> = {};
  for (const part of TOKEN_PARTS) if (standard[part].count > 0) parts[part] = standard[part];
  let dollars = callDollars(price, tokens) / all;
  for (const { part, factor } of surcharges) {
    parts[part] = { count: 1, dollars: dollars * (factor - 1) };
    dollars *= factor;
  }
  return parts;
}

/** No document says that a service of the call is that of calls of other models in it. */
function innerCalls(
  model: string,
  atMs: number | undefined,
  { innerCalls: calls = [], ...beside }: BilledBeside,
): Priced {
  if (calls.length === 0) return { parts: {}, unpriced: [] };
  const unpriced: UnpricedPart[] = [];
  let dollars = 0;
  for (const { kind, model: own = model, ...tokens } of calls) {
    const { service, region } = beside;
    const served = { atMs, ...(region && { region }), ...(service && own === model && { service }) };
    const { price } = servedPrice(priceOf(own, atMs), served);
    // An attempt that was declined before any output is billed in some cases only, which no usage tells.
    const isKnown = price.match !== 'unknown' && (kind !== DECLINED || tokens.outputTokens > 0);
    if (isKnown) dollars += callDollars(price, tokens);
    else unpriced.push({ part: 'innerCalls', name: kind, count: 1 });
  }
  return { parts: { innerCalls: { count: calls.length, dollars } }, unpriced };
}

/** Source: https://platform.claude.com/docs/en/build-with-claude/refusals-and-fallback, "Billing and rate limits", read on 2026-11-29. */
const DECLINED = 'message';

function serverTools({ vendor, match }: ModelPrice, { toolUses = {} }: BilledBeside): Priced {
  const unpriced: UnpricedPart[] = [];
  let count = 0;
  let dollars = 0;
  for (const [name, uses] of Object.entries(toolUses)) {
    const each = match === 'unknown' ? undefined : toolDollars(vendor, name);
    count += uses;
    dollars += uses * (each ?? 0);
    if (each === undefined) unpriced.push({ part: 'serverTools', name, count: uses });
  }
  return { parts: count === 0 ? {} : { serverTools: { count, dollars } }, unpriced };
}
