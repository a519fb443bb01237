import type { FamilyName } from './index.ts';

/** Facts about a group of models. `contextLimitTokens`: the longest prompt. */
interface ModelFacts {
  readonly pattern: RegExp;
  readonly family: FamilyName;
  readonly contextLimitTokens: number;
  /** The longest answer; absent: not known. */
  readonly maxOutputTokens?: number;
}

const UNKNOWN_MODEL = { family: 'unknown', contextLimitTokens: 200_000 } as const;

/**
 * The first pattern that matches a lower-case name counts; provider prefixes, dates and suffixes are ignored. As of
 * 2026-08. If input and output have separate limits, the limit is that of the input.
 *
 * Source: OpenAI https://platform.openai.com/docs/models (gpt-5: 400,000 in all, 272,000 of them input; recorded Codex
 * sessions show 95% of 272,000 for gpt-5.4 and of 128,000 for spark); encodings: `model_to_encoding.json` of `tiktoken`.
 * Google https://ai.google.dev/gemini-api/docs/models. Others: the data set of the prices (src/economics/price-table.ts), else
 * the model cards of the vendors; test/tokens/windows.test.ts holds all equal to that data set, or says why not.
 */
const MODELS: readonly ModelFacts[] = [
  { pattern: /gpt-5.{0,30}spark/, family: 'o200k', contextLimitTokens: 128_000 },
  { pattern: /gpt-5.{0,30}chat/, family: 'o200k', contextLimitTokens: 128_000, maxOutputTokens: 16_384 },
  { pattern: /gpt-[5-9]/, family: 'o200k', contextLimitTokens: 272_000, maxOutputTokens: 128_000 },
  { pattern: /gpt-4\.1/, family: 'o200k', contextLimitTokens: 1_047_576, maxOutputTokens: 32_768 },
  { pattern: /gpt-4o|chatgpt-4o|gpt-4\.5/, family: 'o200k', contextLimitTokens: 128_000, maxOutputTokens: 16_384 },
  { pattern: /gpt-oss/, family: 'o200k', contextLimitTokens: 131_072 },
  { pattern: /\bo1-(?:mini|preview)/, family: 'o200k', contextLimitTokens: 128_000 },
  { pattern: /\bo[134]\b|\bcodex\b/, family: 'o200k', contextLimitTokens: 200_000, maxOutputTokens: 100_000 },
  { pattern: /gpt-4-32k/, family: 'cl100k', contextLimitTokens: 32_768 },
  {
    pattern: /gpt-4-(?:turbo|1106|0125|vision)/,
    family: 'cl100k',
    contextLimitTokens: 128_000,
    maxOutputTokens: 4_096,
  },
  { pattern: /gpt-4/, family: 'cl100k', contextLimitTokens: 8_192 },
  { pattern: /gpt-3\.5|gpt-35/, family: 'cl100k', contextLimitTokens: 16_385, maxOutputTokens: 4_096 },
  { pattern: /gemini-1\.5-pro/, family: 'gemini', contextLimitTokens: 2_097_152, maxOutputTokens: 8_192 },
  { pattern: /gemini/, family: 'gemini', contextLimitTokens: 1_048_576 },
  { pattern: /gemma-?3/, family: 'gemini', contextLimitTokens: 131_072 },
  { pattern: /deepseek-(?:v4|flash)/, family: 'unknown', contextLimitTokens: 1_000_000 },
  { pattern: /deepseek/, family: 'unknown', contextLimitTokens: 131_072 },
  { pattern: /kimi-k3/, family: 'unknown', contextLimitTokens: 1_048_576 },
  { pattern: /kimi-k2-(?:0711|instruct$)|moonshot-v1-128k|grok-3/, family: 'unknown', contextLimitTokens: 131_072 },
  { pattern: /kimi/, family: 'unknown', contextLimitTokens: 262_144 },
  { pattern: /moonshot-v1-32k|grok-2/, family: 'unknown', contextLimitTokens: 32_768 },
  { pattern: /moonshot-v1-8k/, family: 'unknown', contextLimitTokens: 8_192 },
  { pattern: /grok-4(?:-1)?-fast/, family: 'unknown', contextLimitTokens: 2_000_000 },
  { pattern: /grok-4\.(?:20|3)/, family: 'unknown', contextLimitTokens: 1_000_000 },
  { pattern: /grok-4\.[5-7]|grok-latest/, family: 'unknown', contextLimitTokens: 500_000 },
  { pattern: /qwen-?3\.8/, family: 'unknown', contextLimitTokens: 1_000_000 },
  { pattern: /qwen3|grok-(?:code|build|4)/, family: 'unknown', contextLimitTokens: 256_000 },
  { pattern: /glm-5|minimax-m3/, family: 'unknown', contextLimitTokens: 1_000_000 },
  { pattern: /minimax-01/, family: 'unknown', contextLimitTokens: 1_000_192 },
  { pattern: /minimax-m2/, family: 'unknown', contextLimitTokens: 204_800 },
  { pattern: /m2-her/, family: 'unknown', contextLimitTokens: 64_000 },
  { pattern: /devstral|mistral|glm-4\.5|llama-?3/, family: 'unknown', contextLimitTokens: 131_072 },
];

/** `claude-opus-4-5-20251101` and `claude-4.5-opus` are 4.5; a date is not a minor version. */
const CLAUDE_VERSION = /^claude\D*(\d+)(?:[-.](\d{1,2})(?:\D|$))?/;
const CLAUDE_NAME = /claude|\b(?:opus|sonnet|haiku)\b/;

/** The longest answer of Claude by version. Source: as above. */
function claudeOutput(version: number, model: string): number {
  if (version < 3.05) return 4_096;
  if (version < 3.07) return 8_192;
  if (!model.includes('opus')) return 64_000;
  if (version < 4.05) return 32_000;
  return version < 4.06 ? 64_000 : 128_000;
}

/**
 * Claude by version: a new tokenizer since 4.7, a window of one million tokens since 4.6 (`[1m]` requests it in earlier
 * ones); a name without a version is the newest model. Source: https://docs.claude.com/en/docs/about-claude/models/overview
 */
function claudeFacts(model: string): Omit<ModelFacts, 'pattern'> {
  const [, major, minor] = CLAUDE_VERSION.exec(model.slice(model.indexOf('claude'))) ?? [];
  const version = Number(major ?? 5) + Number(minor ?? 0) / 100;
  const hasMillion = model.includes('[1m]') || (major !== undefined && version >= 4.06);
  const contextLimitTokens = hasMillion ? 1_000_000 : version < 2.01 ? 100_000 : 200_000;
  return {
    family: version >= 4.07 ? 'claude-4.7' : 'claude',
    contextLimitTokens,
    maxOutputTokens: claudeOutput(version, model),
  };
}

function factsOf(model: string): Omit<ModelFacts, 'pattern'> {
  const name = model.toLowerCase();
  if (CLAUDE_NAME.test(name)) return claudeFacts(name);
  return MODELS.find(({ pattern }) => pattern.test(name)) ?? UNKNOWN_MODEL;
}

/** The tokenizer family of a model, by its name in sessions and at providers; `unknown` for other names. */
export function familyOfModel(model: string): FamilyName {
  return factsOf(model).family;
}

/** The longest prompt of a model, in tokens; 200,000 for an unknown model. */
export function contextLimitOfModel(model: string): number {
  return factsOf(model).contextLimitTokens;
}

/** The longest answer of a model, in tokens; `undefined` if it is not known. */
export function maxOutputOfModel(model: string): number | undefined {
  return factsOf(model).maxOutputTokens;
}
