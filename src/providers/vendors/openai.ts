import type { Vendor } from './vendor.ts';

/** OpenAI's Responses API. */
export const openai: Vendor = {
  name: 'openai',
  keyVariables: ['OPENAI_API_KEY'],
  worksWithoutKey: false,
  baseUrlVariable: 'OPENAI_BASE_URL',
  defaultBaseUrl: 'https://api.openai.com/v1',
  defaultModel: 'gpt-5-mini',
  async createModel({ apiKey, baseUrl, model }) {
    const { createOpenAI } = await import('@ai-sdk/openai');
    return createOpenAI({ apiKey, baseURL: baseUrl }).responses(model);
  },
};
