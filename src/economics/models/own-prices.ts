/** A row in the form of `PRICE_TABLE`, and where and when it was read. */
interface OwnPrice {
  readonly row: string;
  readonly source: string;
  readonly readOn: string;
}

const CLAUDE = 'https://platform.claude.com/docs/en/about-claude/pricing';
const OPENAI = 'https://developers.openai.com/api/docs/models';
const GEMINI = 'https://ai.google.dev/gemini-api/docs/pricing';

/** OpenAI charges prompts of more than 272,000 tokens twice, and their answers one and a half times. */
const openai = (model: string, prices: string): OwnPrice => ({
  row: `openai | ${model} | 1050000 | ${prices}`,
  source: `${OPENAI}/${model}`,
  readOn: '2026-11-24',
});

/**
 * The price outside of China. What the implicit cache has costs a fifth of the input
 * (https://www.alibabacloud.com/help/en/model-studio/context-cache), and only marked prefixes are written for money.
 */
const qwen = (model: string, prices: string): OwnPrice => ({
  row: `alibaba | ${model} | - | ${prices}`,
  source: `https://github.com/anomalyco/models.dev/blob/dev/providers/alibaba/models/${model}.toml`,
  readOn: '2026-11-29',
});

/** Prices that the data set lacks or has otherwise, each from the day from which it holds. What no page says has no row. */
export const OWN_PRICES: readonly OwnPrice[] = [
  {
    row: 'anthropic | claude-fable-5-2 | 1000000 | @2026-11-09 8 0.2 10 16 40',
    source: CLAUDE,
    readOn: '2026-11-24',
  },
  {
    row: 'anthropic | claude-mythos-5-2 | 1000000 | @2026-11-09 8 0.2 10 16 40',
    source: 'https://platform.claude.com/docs/en/models/fable-5-2/whats-new-fable-5-2',
    readOn: '2026-11-24',
  },
  {
    row: 'anthropic | claude-mythos-5-1 | 1000000 | @2026-09-01 10 0.25 12.5 20 50',
    source: CLAUDE,
    readOn: '2026-11-24',
  },
  {
    row: 'anthropic | claude-mythos-5 | 1000000 | 10 1 12.5 20 50',
    source: CLAUDE,
    readOn: '2026-11-24',
  },
  {
    row: 'anthropic | claude-haiku-5-5 | 1000000 | @2026-10-07 0.1 0.01 0.125 0.2 0.5; >100000 0.5 0.05 0.625 1 2.5',
    source: CLAUDE,
    readOn: '2026-11-22',
  },
  {
    // Its own page has the price before the reads became cheaper.
    row: 'anthropic | claude-sonnet-5-5 | 1000000 | @2026-09-28 2 0.2 2.5 4 10; @2026-10-07 2 0.1 2.5 4 10',
    source: CLAUDE,
    readOn: '2026-11-22',
  },
  {
    // The name that OpenRouter gives its fast mode, which costs twice as much.
    row: 'anthropic | claude-opus-4-8-fast | 1000000 | 10 1 12.5 20 50 | claude-opus-4.8-fast',
    source: 'https://platform.claude.com/docs/en/build-with-claude/fast-mode',
    readOn: '2026-11-29',
  },
  openai('gpt-6.1-sol', '@2026-09-29 2 0.1 2.5 - 10; >272000 4 0.2 5 - 15'),
  openai('gpt-6.1-terra', '@2026-10-26 1 0.05 1.25 - 5; >272000 2 0.1 2.5 - 7.5'),
  // The write for twelve hours is in the place of the one for an hour.
  {
    ...openai('gpt-6.2-sol', '@2026-11-17 2 0.1 2.5 5 10; >272000 4 0.2 5 10 15'),
    readOn: '2026-11-29',
  },
  openai('gpt-6.2-astra', '@2026-11-17 8 0.4 10 - 40; >272000 16 0.8 20 - 60'),
  {
    row: 'google | gemini-4-argon | 1048576 | @2026-09-30 2 0.1 - - 10; @2026-12-01 4 0.2 - - 20',
    source: GEMINI,
    readOn: '2026-11-24',
  },
  {
    row: 'google | gemini-4-carbon | 1048576 | @2026-11-10 2 0.1 - - 10; @2026-12-01 4 0.2 - - 20',
    source: GEMINI,
    readOn: '2026-11-24',
  },
  {
    row: 'google | gemini-4-hydrogen | 1048576 | @2026-11-12 1.5 0.075 - - 7.5',
    source: GEMINI,
    readOn: '2026-11-24',
  },
  { row: 'google | gemini-4-neon | 1048576 | @2026-11-18 3 0.15 - - 15', source: GEMINI, readOn: '2026-11-24' },
  {
    // Off-peak; twice as much in the vendor's peak hours. The older name is served by the same model.
    row: 'deepseek | deepseek-flash | 1000000 | @2026-09-10 0.15 0.003 - - 0.6 |',
    source: 'https://api-docs.deepseek.com/quick_start/pricing',
    readOn: '2026-11-24',
  },
  {
    row: 'deepseek | deepseek-v4-flash | 1000000 | 0.14 0.0028 - - 0.28; @2026-08-17 0.22 0.007 - - 0.66; @2026-09-10 0.15 0.003 - - 0.6',
    source: 'https://api-docs.deepseek.com/quick_start/pricing',
    readOn: '2026-11-24',
  },
  {
    row: 'x-ai | grok-4.7 | 500000 | @2026-09-21 2 0.5 - - 6; >199999 4 1 - - 12 | grok-4.7-latest',
    source: 'https://docs.x.ai/developers/grok-4-7',
    readOn: '2026-11-29',
  },
  {
    // The data set has 0.3 for what is read from the cache. Two sources have 0.5, the price of the versions after it.
    row: 'x-ai | grok-4.5 | 500000 | 2 0.5 - - 6; >199999 4 1 - - 12 |',
    source: 'https://docs.apiyi.com/models/grok-4-5.md',
    readOn: '2026-11-29',
  },
  {
    // What the implicit cache has costs a fifth of the input, and only marked prefixes are written for money:
    // https://www.alibabacloud.com/help/en/model-studio/context-cache
    row: 'alibaba | qwen3.8-max | 1000000 | 2 0.4 - - 6 | qwen3.8-max-0902 qwen-3.8-max',
    source: 'https://vercel.com/ai-gateway/models/qwen3.8-max-0902',
    readOn: '2026-11-29',
  },
  qwen('qwen3-coder-plus', '1 0.2 - - 5; >32000 1.8 0.36 - - 9; >128000 3 0.6 - - 15; >256000 6 1.2 - - 60'),
  qwen(
    'qwen3-coder-flash',
    '0.3 0.06 - - 1.5; >32000 0.5 0.1 - - 2.5; >128000 0.8 0.16 - - 4; >256000 1.6 0.32 - - 9.6',
  ),
  qwen('qwen3-max', '1.2 0.24 - - 6; >32000 2.4 0.48 - - 12; >128000 3 0.6 - - 15'),
  qwen('qwen3.5-plus', '0.4 0.08 - - 2.4; >256000 0.5 0.1 - - 3'),
  qwen('qwen3.6-plus', '0.5 0.1 - - 3; >256000 2 0.4 - - 6'),
  qwen('qwen3.7-plus', '0.4 0.08 - - 1.6; >256000 1.2 0.24 - - 4.8'),
  {
    // The weights of the vendor's own `kimi-k2-0711-preview`.
    row: 'moonshotai | kimi-k2-instruct | 131072 | 0.6 0.15 - - 2.5 |',
    source: 'https://github.com/anomalyco/models.dev/blob/dev/providers/moonshotai/models/kimi-k2-0711-preview.toml',
    readOn: '2026-11-29',
  },
  {
    row: 'moonshotai | kimi-k3.1-pro | 1048576 | 2 0.2 2 4 10 |',
    source: 'https://docs.apiyi.com/en/api-capabilities/kimi-k3-1/overview',
    readOn: '2026-11-29',
  },
  {
    row: 'moonshotai | kimi-k3.1-pro-highspeed | 1048576 | 4 0.2 4 8 20 |',
    source: 'https://docs.apiyi.com/en/api-capabilities/kimi-k3-1/overview',
    readOn: '2026-11-29',
  },
  {
    // The cached read is a tenth of the input, as where MiniMax serves it for Alibaba.
    row: 'minimax | MiniMax-M3.1-Flash | 1000000 | 0.15 0.015 - - 0.6 | minimax-m3.1-flash',
    source: 'https://vercel.com/ai-gateway/models/minimax-m3.1-flash.md',
    readOn: '2026-11-29',
  },
  {
    row: 'zai | GLM-5 | - | 1 0.2 - - 3.2 |',
    source: 'https://docs.z.ai/guides/overview/pricing',
    readOn: '2026-11-24',
  },
  {
    row: 'zai | GLM-5-Turbo | - | 1.2 0.24 - - 4 |',
    source: 'https://docs.z.ai/guides/overview/pricing',
    readOn: '2026-11-24',
  },
];
