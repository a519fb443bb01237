import { type Vendor, versionedUrl } from './vendor.ts';

/** Anthropic's Messages API. */
export const anthropic: Vendor = {
  name: 'anthropic',
  keyVariables: ['ANTHROPIC_API_KEY'],
  worksWithoutKey: false,
  baseUrlVariable: 'ANTHROPIC_BASE_URL',
  defaultBaseUrl: 'https://api.anthropic.com',
  defaultModel: 'claude-haiku-4-5-20251001',
  async createModel({ apiKey, baseUrl, model }) {
    const { createAnthropic } = await import('@ai-sdk/anthropic');
    return createAnthropic({ apiKey, baseURL: versionedUrl(baseUrl, 'v1') })(model);
  },
};
