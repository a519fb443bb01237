/**
 * Prices that the data set lacks, in the form of `PRICE_TABLE`.
 * Source: https://platform.claude.com/docs/en/about-claude/pricing, as release notes quote it: Haiku 5.5 and the cheaper
 * cached reads of Sonnet 5.5 (both 2026-10-07) in https://github.com/kurofune/claudit/releases/tag/v1.9.2 and
 * https://github.com/TheKrush/PromptFuel/releases/tag/v1.0.23; Sonnet 5.5 before that on its own page,
 * https://platform.claude.com/docs/en/models/sonnet-5-5/overview.
 */
export const OWN_PRICES = `
anthropic | claude-haiku-5-5 | 1000000 | 0.1 0.01 0.125 0.2 0.5; >100000 0.5 0.05 0.625 1 2.5
anthropic | claude-sonnet-5-5 | 1000000 | 2 0.2 2.5 4 10; @2026-10-07 2 0.1 2.5 4 10
`;
