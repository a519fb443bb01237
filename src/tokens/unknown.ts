import type { TokenizerFamily } from './family.ts';
import { OPENAI_MEDIA } from './openai.ts';

const TOKENS_PER_O200K_TOKEN = 1.2;

/**
 * Estimates any other model until it reports usage. Source: docs/token-counting.md: above OpenAI (1.0), DeepSeek and Qwen
 * (1.0-1.05), slightly below Claude (1.25).
 */
export const unknown: TokenizerFamily = {
  name: 'unknown',
  encoding: 'o200k_base',
  estimatesFrom: 'tokens',
  keepsAnswers: false,
  tokensOf: (features) => TOKENS_PER_O200K_TOKEN * features.tokens,
  ...OPENAI_MEDIA,
};
