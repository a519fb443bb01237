import type { ApiName } from '../../../src/formats/api-path.ts';
import type { MarkLifetime } from '../../../src/lab/lint/rules/cache-marks.ts';
import { RECOMMENDED_CONFIG } from '../../../src/live/turn/recommended-config.ts';
import { StrictProvider } from '../../../src/strict-provider/strict-provider.ts';

/** A model, its API, and the account that pays. */
export interface PlayedModel {
  readonly name: string;
  readonly api: ApiName;
  readonly model: string;
  readonly ttl: MarkLifetime;
  /** `old`: created before 2026-08-31. */
  readonly account: 'old' | 'new';
  /** What the person chose for thinking that is bound; default: `keep`. */
  readonly thinkingWhenCold?: 'keep' | 'drop';
}

export const claude = (model: string, ttl: MarkLifetime, account: 'old' | 'new'): PlayedModel => ({
  name: `${model} ${ttl}, ${account} account`,
  api: 'anthropic-messages',
  model,
  ttl,
  account,
});

const dropping = (played: PlayedModel): PlayedModel => ({
  ...played,
  name: `${played.name}, drop`,
  thinkingWhenCold: 'drop',
});

export const other = (api: ApiName, model: string, name = model): PlayedModel => ({
  name,
  api,
  model,
  ttl: '5m',
  account: 'new',
});

export const PLAYED_MODELS: readonly PlayedModel[] = [
  claude('claude-sonnet-4-5', '5m', 'old'),
  claude('claude-sonnet-4-5', '1h', 'old'),
  claude('claude-opus-5', '5m', 'new'),
  claude('claude-opus-5-5', '5m', 'new'),
  claude('claude-opus-5-5', '5m', 'old'),
  dropping(claude('claude-opus-5-5', '5m', 'new')),
  dropping(claude('claude-opus-5-5', '1h', 'new')),
  dropping(claude('claude-opus-5-5', '5m', 'old')),
  other('openai-responses', 'gpt-5.5'),
  other('openai-responses', 'gpt-5.6-sol'),
  other('openai-chat', 'gpt-5.6-sol', 'gpt-5.6-sol chat'),
  other('gemini-api', 'gemini-3.1-pro-preview'),
  // These models are unknown.
  claude('claude-nobody-9', '5m', 'new'),
  other('openai-responses', 'nobody-9'),
];

const OLD = Date.UTC(2026, 0, 1);

/** A provider that knows the age of an account by the last word of its name. */
export const playedProvider = (): StrictProvider =>
  new StrictProvider({ createdAt: (account) => (account.endsWith('old') ? OLD : Date.now()) });

const { rules } = RECOMMENDED_CONFIG;

/** The rules of `recommended`, with what the person chose. */
export const configOf = ({
  thinkingWhenCold = 'keep',
}: Pick<PlayedModel, 'thinkingWhenCold'>): typeof RECOMMENDED_CONFIG => ({
  ...RECOMMENDED_CONFIG,
  rules: { ...rules, thinkingWhenCold },
});
