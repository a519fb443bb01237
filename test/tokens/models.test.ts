import { describe, expect, test } from 'vitest';
import { contextLimitOfModel, familyOfModel, maxOutputOfModel } from '../../src/tokens/models.ts';

describe('models', () => {
  test.each([
    ['gpt-4o-2024-08-06', 'o200k', 128_000],
    ['gpt-4.1-mini', 'o200k', 1_047_576],
    ['gpt-5-2025-08-07', 'o200k', 272_000],
    ['gpt-5.1-codex', 'o200k', 272_000],
    ['gpt-5.3-codex-spark', 'o200k', 128_000],
    ['aide-gpt-5', 'o200k', 272_000],
    ['openai/gpt-oss-120b', 'o200k', 131_072],
    ['o1-mini', 'o200k', 128_000],
    ['o3', 'o200k', 200_000],
    ['o4-mini-2025-04-16', 'o200k', 200_000],
    ['codex-mini-latest', 'o200k', 200_000],
    ['gpt-4', 'cl100k', 8_192],
    ['gpt-4-turbo-2024-04-09', 'cl100k', 128_000],
    ['gpt-3.5-turbo', 'cl100k', 16_385],
    ['claude-2.0', 'claude', 100_000],
    ['claude-3-haiku-20240307', 'claude', 200_000],
    ['claude-3-5-sonnet-20241022', 'claude', 200_000],
    ['claude-sonnet-4-20250514', 'claude', 200_000],
    ['litellm_proxy/claude-sonnet-4-20250514', 'claude', 200_000],
    ['claude-opus-4-5-20251101', 'claude', 200_000],
    ['claude-sonnet-4-5-20250929[1m]', 'claude', 1_000_000],
    ['us.anthropic.claude-haiku-4-5-20251001-v1:0', 'claude', 200_000],
    ['claude-opus-4-6', 'claude', 1_000_000],
    ['claude-sonnet-4.6', 'claude', 1_000_000],
    ['claude-4.5-opus', 'claude', 200_000],
    ['claude-opus-4-7', 'claude-4.7', 1_000_000],
    ['claude-opus-4-10', 'claude-4.7', 1_000_000],
    ['claude-opus-5', 'claude-4.7', 1_000_000],
    ['sonnet', 'claude-4.7', 200_000],
    ['models/gemini-2.5-pro', 'gemini', 1_048_576],
    ['gemini-3.1-pro-preview-customtools', 'gemini', 1_048_576],
    ['gemini-1.5-pro-002', 'gemini', 2_097_152],
    ['gemma-3-27b-it', 'gemini', 131_072],
    ['deepseek-chat', 'unknown', 131_072],
    ['moonshotai/kimi-k2.5', 'unknown', 262_144],
    ['some-new-model', 'unknown', 200_000],
    ['', 'unknown', 200_000],
  ])('%s counts as %s and takes %i tokens', (model, family, limit) => {
    expect([familyOfModel(model), contextLimitOfModel(model)]).toEqual([family, limit]);
  });

  test('ignores letter case', () => {
    expect(familyOfModel('Claude-Opus-4-5')).toBe('claude');
  });

  test.each([
    ['gpt-5.1-codex', 128_000],
    ['claude-3-5-sonnet-20241022', 8_192],
    ['claude-opus-4-1', 32_000],
    ['claude-sonnet-4-5-20250929', 64_000],
    ['claude-opus-4-7', 128_000],
    ['some-new-model', undefined],
  ])('the longest answer of %s has %s tokens', (model, tokens) => {
    expect(maxOutputOfModel(model)).toBe(tokens);
  });
});
