/** How a vendor's prompt cache works for a group of models. Tokens are those of the whole prefix. */
interface CacheRules {
  /** `marks`: where a request says so; `steps`: every prefix, in whole steps; `ends`: the prefixes that were sent. */
  readonly kind: 'marks' | 'steps' | 'ends';
  readonly leastTokens: number;
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

export interface ModelRules {
  readonly pattern: RegExp;
  readonly cache: CacheRules;
  /** True if a signature of thinking is valid only after the prefix that it was made for. */
  readonly bindsThinking?: boolean;
  /** True if calls of the current turn must carry their signature. */
  readonly needsSignatures?: boolean;
  readonly rates?: Rates;
}

const MINUTE_MS = 60_000;

const claude = (leastTokens: number): CacheRules => ({ kind: 'marks', leastTokens, lifetimeMs: 5 * MINUTE_MS });
const openai: CacheRules = { kind: 'steps', leastTokens: 1024, lifetimeMs: 5 * MINUTE_MS };
const openaiEnds: CacheRules = { kind: 'ends', leastTokens: 1024, lifetimeMs: 30 * MINUTE_MS };
/** Google names no lifetime of the implicit cache; five minutes is the shortest that any vendor names. */
const gemini = (leastTokens: number): CacheRules => ({ kind: 'steps', leastTokens, lifetimeMs: 5 * MINUTE_MS });

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

/**
 * The first pattern that matches the lower-case name of a model counts. As of 2026-11-22.
 *
 * Source: least lengths and lifetimes https://platform.claude.com/docs/en/build-with-claude/prompt-caching,
 * https://developers.openai.com/api/docs/guides/prompt-caching, https://ai.google.dev/gemini-api/docs/caching; bound
 * thinking https://platform.claude.com/docs/en/build-with-claude/preserved-thinking; rates
 * https://github.com/pydantic/genai-prices, or for what that lacks `economics/own-prices.ts`;
 * test/strict-provider/models.test.ts holds them to both.
 */
export const MODELS: readonly ModelRules[] = [
  { pattern: /fable-5-1/, cache: claude(512), bindsThinking: true, rates: claudeRates(10, 50, { read: 0.025 }) },
  { pattern: /(?:fable|mythos)-5-[12]/, cache: claude(512), bindsThinking: true },
  { pattern: /opus-5-5/, cache: claude(512), bindsThinking: true, rates: claudeRates(4, 20, { read: 0.05 }) },
  { pattern: /sonnet-5-5/, cache: claude(1024), bindsThinking: true, rates: claudeRates(2, 10, { read: 0.05 }) },
  {
    pattern: /haiku-5-5/,
    cache: claude(1024),
    bindsThinking: true,
    rates: claudeRates(0.1, 0.5, { tier: { above: 100_000, input: 5, output: 5 } }),
  },
  { pattern: /opus-5/, cache: claude(512), rates: claudeRates(5, 25) },
  { pattern: /sonnet-5/, cache: claude(1024), rates: claudeRates(2, 10) },
  { pattern: /opus-4-[56]/, cache: claude(4096), rates: claudeRates(5, 25) },
  { pattern: /opus-4/, cache: claude(1024) },
  { pattern: /haiku-4-5/, cache: claude(4096), rates: claudeRates(1, 5) },
  { pattern: /sonnet-4-5/, cache: claude(1024), rates: claudeRates(3, 15, { tier: ABOVE_200K }) },
  { pattern: /claude/, cache: claude(1024) },
  {
    pattern: /gpt-5\.6-sol|gpt-5\.6$/,
    cache: openaiEnds,
    rates: automaticRates(4, 20, { write: 1.25, tier: ABOVE_272K }),
  },
  { pattern: /gpt-5\.6-terra/, cache: openaiEnds, rates: automaticRates(2, 12, { write: 1.25, tier: ABOVE_272K }) },
  { pattern: /gpt-5\.[6-9]|gpt-[6-9]/, cache: openaiEnds },
  { pattern: /gpt-5\.5-pro/, cache: openai },
  { pattern: /gpt-5\.5/, cache: openai, rates: automaticRates(5, 30, { tier: ABOVE_272K }) },
  { pattern: /gpt-5\.4$/, cache: openai, rates: automaticRates(2.5, 15, { tier: ABOVE_272K }) },
  { pattern: /gpt-5$/, cache: openai, rates: automaticRates(1.25, 10) },
  { pattern: /gemini-3.*image/, cache: gemini(4096), needsSignatures: true },
  {
    pattern: /gemini-3.*pro/,
    cache: gemini(4096),
    needsSignatures: true,
    rates: automaticRates(2, 12, { tier: ABOVE_200K }),
  },
  { pattern: /gemini-3/, cache: gemini(1024), needsSignatures: true },
  { pattern: /gemini-2\.5-pro-tts/, cache: gemini(4096) },
  { pattern: /gemini-2\.5-pro/, cache: gemini(4096), rates: automaticRates(1.25, 10, { tier: ABOVE_200K }) },
  { pattern: /gemini/, cache: gemini(1024) },
];

const UNKNOWN: Omit<ModelRules, 'pattern'> = { cache: openai };

/** The rules of a model; those of OpenAI's automatic cache for an unknown one, without prices. */
export function rulesOfModel(model: string): Omit<ModelRules, 'pattern'> {
  const name = model.toLowerCase();
  return MODELS.find(({ pattern }) => pattern.test(name)) ?? UNKNOWN;
}
