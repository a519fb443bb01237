import { HOUR_MS, MINUTE_MS } from '../durations.ts';
import { canonicalModel } from './model-name.ts';
import { isThinkingUnbound } from './models/given-models.ts';
import { leastCachedTokens } from './models/least-cached-tokens.ts';
import { isListed } from './prices.ts';

/** How a provider's prompt cache works for some models. */
export interface CacheRule {
  /** Matches canonical names of models. */
  readonly models: RegExp;
  /** The day on which the source was read, and the source. */
  readonly readOn: string;
  readonly source: string;
  /** How long an unused prefix is kept by default, in milliseconds. */
  readonly lifetimeMs: number;
  /** The longest that a request can ask for, or that a provider is known to keep it. Only after that a prefix is surely lost. */
  readonly longestMs: number;
  /** A shorter prefix is not cached. */
  readonly leastTokens: number;
  /** A hit is a multiple of this many tokens; 1 where the provider matches marks or exact prefixes. */
  readonly stepTokens: number;
  /** True if each prefix of a prompt is found again; else only those that ended a prompt (assumed where a source is silent). */
  readonly findsEachPrefix: boolean;
  /** Present: only prefixes that end at a mark are cached. At most `most` marks; a hit is found `lookbackBlocks` before one. */
  readonly marks?: { readonly most: number; readonly lookbackBlocks: number };
  /** True if a change of earlier text invalidates all signed thinking after it. */
  readonly bindsThinking: boolean;
  /**
   * True if the model reads the thinking of all earlier turns, none of which need be sent again. Earlier models never read it again,
   * and of other vendors' no document says that it may be left out.
   * Source: https://platform.claude.com/docs/en/build-with-claude/context-editing, and extended-thinking beside it ("may omit").
   */
  readonly canOmitThinking: boolean;
}

type CacheRow = Omit<CacheRule, 'leastTokens' | 'canOmitThinking'>;

const claude = (models: RegExp, bindsThinking = false): CacheRow => ({
  models,
  readOn: '2026-11-24',
  source: bindsThinking
    ? 'https://platform.claude.com/docs/en/build-with-claude/extended-thinking'
    : 'https://platform.claude.com/docs/en/build-with-claude/prompt-caching',
  lifetimeMs: 5 * MINUTE_MS,
  longestMs: HOUR_MS,
  stepTokens: 1,
  findsEachPrefix: false,
  marks: { most: 4, lookbackBlocks: 20 },
  bindsThinking,
});

const gpt = (models: RegExp, lifetimeMs: number, longestMs: number, findsEachPrefix = true): CacheRow => ({
  models,
  readOn: '2026-11-24',
  source: 'https://developers.openai.com/api/docs/guides/prompt-caching',
  lifetimeMs,
  longestMs,
  stepTokens: 128,
  findsEachPrefix,
  bindsThinking: false,
});

const OMITTED_THINKING = /^claude-(?:opus-(?:4-[5-8]|5)|sonnet-(?:4-6|5))$/;

/** The first row that matches counts. */
const CACHE_RULES: readonly CacheRow[] = [
  claude(/^claude-(?:(?:fable|mythos)-5-[12]|(?:opus|sonnet|haiku)-5-5)$/, true),
  claude(/^claude/),
  // Kept for at least half an hour, and up to a day by default.
  gpt(/^gpt-(?:5-[6-9]|[6-9])/, 30 * MINUTE_MS, 24 * HOUR_MS, false),
  gpt(/^gpt-5-5/, HOUR_MS, 24 * HOUR_MS),
  // Five to ten minutes, at most an hour.
  gpt(/^(?:gpt|o\d|codex|chatgpt)/, 10 * MINUTE_MS, HOUR_MS),
  {
    models: /^gemini/,
    readOn: '2026-11-24',
    // The page gives no lifetime ("a short amount of time"); an hour is the default of explicit caches.
    source: 'https://ai.google.dev/gemini-api/docs/caching',
    lifetimeMs: 5 * MINUTE_MS,
    longestMs: HOUR_MS,
    stepTokens: 1,
    findsEachPrefix: false,
    bindsThinking: false,
  },
  {
    models: /^qwen/,
    readOn: '2026-11-29',
    // The page promises no lifetime of the implicit cache; five minutes are those of a marked prefix.
    source: 'https://www.alibabacloud.com/help/en/model-studio/context-cache',
    lifetimeMs: 5 * MINUTE_MS,
    longestMs: HOUR_MS,
    stepTokens: 1,
    findsEachPrefix: false,
    bindsThinking: false,
  },
];

/** For other vendors, whose rules are not known here: those that most share. */
const DEFAULT_RULE: CacheRow = {
  models: /(?:)/,
  readOn: '2026-11-22',
  source: 'assumed',
  lifetimeMs: 5 * MINUTE_MS,
  // As long as the longest that is known of any vendor.
  longestMs: 24 * HOUR_MS,
  stepTokens: 1,
  findsEachPrefix: false,
  bindsThinking: false,
};

/**
 * The rules of the prompt cache for a model; usual ones, with the source `assumed`, for an unknown model. Of a model that no table
 * of prices has, thinking counts as bound until the user says otherwise.
 */
export function cacheRuleOf(model: string): CacheRule {
  const canonical = canonicalModel(model);
  const rule = CACHE_RULES.find(({ models }) => models.test(canonical)) ?? DEFAULT_RULE;
  const bindsThinking = (rule.bindsThinking || !isListed(model)) && !isThinkingUnbound(model);
  const canOmitThinking = !bindsThinking && OMITTED_THINKING.test(canonical);
  return { ...rule, leastTokens: leastCachedTokens(model), bindsThinking, canOmitThinking };
}

/** Models whose provider does not cache the field `instructions`. Source: https://github.com/anomalyco/opencode/releases/tag/v2.3.2, read on 2026-11-29. */
const UNCACHED_INSTRUCTIONS = /^gpt-6-2(?:-|$)/;

/** What of a prompt is in the cache after a call whose provider says what it wrote. */
export function keptTokens(
  model: string,
  {
    promptTokens,
    cachedTokens,
    writtenTokens,
  }: Readonly<Record<'promptTokens' | 'cachedTokens' | 'writtenTokens', number>>,
): number {
  const known = cachedTokens + writtenTokens;
  if (cacheRuleOf(model).marks !== undefined) return known;
  // A login of ChatGPT counts nothing as written.
  return UNCACHED_INSTRUCTIONS.test(canonicalModel(model)) && known > 0 ? known : promptTokens;
}
