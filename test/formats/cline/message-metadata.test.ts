import { expect, test } from 'vitest';
import { metadataOf } from '../../../src/formats/cline/message-metadata.ts';

test.each([
  [
    'tokens.prompt excludes what was cached',
    { tokens: { prompt: 10, completion: 5, cached: 90 } },
    { promptTokens: 100, completionTokens: 5, totalTokens: 105, cachedTokens: 90 },
  ],
  [
    'tokens.prompt may be all cached',
    { tokens: { prompt: 0, completion: 5, cached: 90 } },
    { promptTokens: 90, completionTokens: 5, totalTokens: 95, cachedTokens: 90 },
  ],
  [
    'inputTokens of the SDK includes it',
    { inputTokens: 100, outputTokens: 5, cacheReadTokens: 90 },
    { promptTokens: 100, completionTokens: 5, totalTokens: 105, cachedTokens: 90 },
  ],
  ['nothing is known', { tokens: {} }, undefined],
])('usage of Cline: %s', (_what, metrics, usage) => {
  expect(metadataOf({ role: 'assistant', metrics }, true).usage).toEqual(usage);
});
