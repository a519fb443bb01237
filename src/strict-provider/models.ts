import { MINUTE_MS } from '../durations.ts';
import { leastCachedTokens } from '../economics/models/least-cached-tokens.ts';

/** How a vendor's prompt cache works for a group of models. */
interface CacheKind {
  /** `marks`: where a request says so; `steps`: every prefix, in whole steps; `ends`: the prefixes that were sent. */
  readonly kind: 'marks' | 'steps' | 'ends';
  readonly lifetimeMs: number;
}

/** US dollars per million tokens. Above `tier.above` input tokens, the whole request is billed at the factors. */
interface Rates {
  readonly input: number;
  readonly read: number;
  readonly write: number;
  readonly writeForAnHour: number;
  readonly output: number;
  readonly tier?: { readonly above: number; readonly input: number; readonly output: number };
}

interface ModelRow {
  readonly pattern: RegExp;
  readonly cache: CacheKind;
  /** True if a signature of thinking is valid only after the prefix that it was made for. */
  readonly bindsThinking?: boolean;
  /** True if calls of the current turn must carry their signature. */
  readonly needsSignatures?: boolean;
  readonly rates?: Rates;
}

/** The row of a model, with the shortest prefix that is cached, in tokens. */
export interface ModelRules extends Omit<ModelRow, 'pattern' | 'cache'> {
  readonly cache: CacheKind & { readonly leastTokens: number };
}

const claude: CacheKind = { kind: 'marks', lifetimeMs: 5 * MINUTE_MS };
const openai: CacheKind = { kind: 'steps', lifetimeMs: 5 * MINUTE_MS };
const openaiEnds: CacheKind = { kind: 'ends', lifetimeMs: 30 * MINUTE_MS };
/** Google names no lifetime of the implicit cache; five minutes is the shortest that any vendor names. */
const gemini: CacheKind = { kind: 'steps', lifetimeMs: 5 * MINUTE_MS };

function claudeRates(
  input: number,
  output: number,
  { read = 0.1, tier }: { read?: number; tier?: Rates['tier'] } = {},
): Rates {
  return { input, read: read * input, write: 1.25 * input, writeForAnHour: 2 * input, output, ...(tier && { tier }) };
}

/** `write`: times the input price. */
function automaticRates(
  input: number,
  output: number,
  { write = 1, tier }: { write?: number; tier?: Rates['tier'] } = {},
): Rates {
  return {
    input,
    read: 0.1 * input,
    write: write * input,
    writeForAnHour: write * input,
    output,
    ...(tier && { tier }),
  };
}

const ABOVE_200K = { above: 200_000, input: 2, output: 1.5 };
const ABOVE_272K = { above: 271_999, input: 2, output: 1.5 };

/** A model by its name, perhaps with a date; a later version or another model of its line is not meant. */
const named = (name: string): RegExp => new RegExp(`${name}(?:-\\d{8}|-\\d{4}-\\d{2}-\\d{2}|-preview)?(?:$|[@[:])`);

/**
 * The first pattern that matches the lower-case name of a model counts. As of 2026-11-24.
 *
 * Source: lifetimes https://platform.claude.com/docs/en/build-with-claude/prompt-caching,
 * https://developers.openai.com/api/docs/guides/prompt-caching, https://ai.google.dev/gemini-api/docs/caching; bound
 * thinking https://platform.claude.com/docs/en/build-with-claude/preserved-thinking; rates
 * https://github.com/pydantic/genai-prices, or for what that lacks `economics/models/own-prices.ts`;
 * test/strict-provider/models.test.ts holds them to both.
 */
export const MODELS: readonly ModelRow[] = [
  {
    pattern: named('(?:fable|mythos)-5-1'),
    cache: claude,
    bindsThinking: true,
    rates: claudeRates(10, 50, { read: 0.025 }),
  },
  {
    pattern: named('(?:fable|mythos)-5-2'),
    cache: claude,
    bindsThinking: true,
    rates: claudeRates(8, 40, { read: 0.025 }),
  },
  { pattern: named('opus-5-5'), cache: claude, bindsThinking: true, rates: claudeRates(4, 20, { read: 0.05 }) },
  { pattern: named('sonnet-5-5'), cache: claude, bindsThinking: true, rates: claudeRates(2, 10, { read: 0.05 }) },
  {
    pattern: named('haiku-5-5'),
    cache: claude,
    bindsThinking: true,
    rates: claudeRates(0.1, 0.5, { tier: { above: 100_000, input: 5, output: 5 } }),
  },
  { pattern: named('opus-5'), cache: claude, rates: claudeRates(5, 25) },
  { pattern: named('sonnet-5'), cache: claude, rates: claudeRates(2, 10) },
  { pattern: named('opus-4-[56]'), cache: claude, rates: claudeRates(5, 25) },
  { pattern: named('haiku-4-5'), cache: claude, rates: claudeRates(1, 5) },
  { pattern: named('sonnet-4-5'), cache: claude, rates: claudeRates(3, 15, { tier: ABOVE_200K }) },
  { pattern: /claude/, cache: claude },
  {
    pattern: named('gpt-5\\.6(?:-sol)?'),
    cache: openaiEnds,
    rates: automaticRates(4, 20, { write: 1.25, tier: ABOVE_272K }),
  },
  {
    pattern: named('gpt-5\\.6-terra'),
    cache: openaiEnds,
    rates: automaticRates(2, 12, { write: 1.25, tier: ABOVE_272K }),
  },
  { pattern: /gpt-5\.[6-9]|gpt-[6-9]/, cache: openaiEnds },
  { pattern: named('gpt-5\\.5'), cache: openai, rates: automaticRates(5, 30, { tier: ABOVE_272K }) },
  { pattern: named('gpt-5\\.4'), cache: openai, rates: automaticRates(2.5, 15, { tier: ABOVE_272K }) },
  { pattern: named('gpt-5'), cache: openai, rates: automaticRates(1.25, 10) },
  {
    pattern: named('gemini-3(?:\\.1)?-pro'),
    cache: gemini,
    needsSignatures: true,
    rates: automaticRates(2, 12, { tier: ABOVE_200K }),
  },
  { pattern: /gemini-[3-9]/, cache: gemini, needsSignatures: true },
  { pattern: named('gemini-2\\.5-pro'), cache: gemini, rates: automaticRates(1.25, 10, { tier: ABOVE_200K }) },
  { pattern: /gemini/, cache: gemini },
];

/** The rules of a model; those of OpenAI's automatic cache for an unknown one, without prices. */
export function rulesOfModel(model: string): ModelRules {
  const name = model.toLowerCase();
  const row = MODELS.find(({ pattern }) => pattern.test(name));
  const { cache, ...rules } = row ?? { cache: openai };
  return { ...rules, cache: { ...cache, leastTokens: leastCachedTokens(model) } };
}
