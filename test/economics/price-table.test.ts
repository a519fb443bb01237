import path from 'node:path';
import { findProvider, type MatchLogic, type ModelInfo, type ModelPrice } from '@pydantic/genai-prices';
import { expect, test } from 'vitest';

/** Vendors of models that coding agents use; the data set's names of them. */
const VENDORS = ['anthropic', 'openai', 'google', 'deepseek', 'x-ai', 'moonshotai', 'zai', 'minimax'];
/** Models that no agent talks to. */
const NO_CHAT =
  /audio|image|realtime|transcri|tts|embedding|whisper|moderation|search|research|computer|live|omni|^ft:|\.ft-|vision|instruct|davinci|ada|curie|babbage|gemma|video|imagine|multi-agent|extended|-v1$/;

const FIELDS = ['input_mtok', 'cache_read_mtok', 'cache_write_mtok', 'cache_write_1h_mtok', 'output_mtok'] as const;

/** The five rates with an optional start of the tier, such as `>200000 6 0.6 7.5 12 22.5`. */
function ratesOf(prices: ModelPrice): string[] {
  const starts = new Set<number>();
  for (const field of FIELDS) {
    const price = prices[field];
    if (typeof price === 'object') for (const { start } of price.tiers) starts.add(start);
  }
  const at = (start: number): string =>
    FIELDS.map((field) => {
      const price = prices[field];
      if (typeof price !== 'object') return price ?? '-';
      return price.tiers.findLast((tier) => tier.start <= start)?.price ?? price.base;
    }).join(' ');
  return [at(-1), ...[...starts].sort((one, other) => one - other).map((start) => `>${start} ${at(start)}`)];
}

function pricesOf({ prices }: ModelInfo): string {
  if (!Array.isArray(prices)) return ratesOf(prices).join('; ');
  return prices
    .filter(({ constraint }) => constraint?.type !== 'time_of_date')
    .flatMap(({ constraint, prices: own }) => {
      const [base, ...tiers] = ratesOf(own);
      return [constraint?.type === 'start_date' ? `@${constraint.start_date} ${base}` : base, ...tiers];
    })
    .join('; ');
}

/** Other names of a model; `name*` matches every name that starts so. */
function namesOf(match: MatchLogic): string[] {
  if ('or' in match) return match.or.flatMap(namesOf);
  if ('and' in match) return match.and.flatMap(namesOf);
  if ('equals' in match) return [match.equals];
  if ('starts_with' in match) return [`${match.starts_with}*`];
  return [];
}

function tableOf(vendor: string): string[] {
  const models = findProvider({ providerId: vendor })?.models ?? [];
  return models
    .filter(({ id }) => !NO_CHAT.test(id) && !(vendor === 'google' && id.startsWith('claude')))
    .map((model) => ({ model, prices: pricesOf(model) }))
    .filter(({ prices }) => prices !== '' && !prices.includes('- - - - -') && !prices.endsWith(' -'))
    .map(({ model, prices }) => {
      const names = namesOf(model.match).filter((name) => name !== model.id);
      return [vendor, model.id, model.context_window ?? '-', prices, names.join(' ')].join(' | ').trimEnd();
    });
}

const SOURCE = `/**
 * Prices and windows of models, reduced from \`@pydantic/genai-prices\`: vendor, model, longest prompt, prices, other names.
 * Prices are US dollars per million tokens: input, cached read, cache write for five minutes, for an hour, output; \`-\`
 * where the vendor has none. \`>n\`: for prompts of more than n tokens. \`@date\`: from that day on. \`name*\`: names that
 * start so. Written by \`npx vitest run test/economics/price-table.test.ts -u\`.
 * Source: https://github.com/pydantic/genai-prices, version 0.1.8.
 */
export const PRICE_TABLE = \`
${VENDORS.flatMap(tableOf).join('\n')}
\`;
`;

test('the price table is what the data set says', async () => {
  await expect(SOURCE).toMatchFileSnapshot(path.resolve(import.meta.dirname, '../../src/economics/price-table.ts'));
});
