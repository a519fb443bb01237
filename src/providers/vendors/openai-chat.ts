import { openai } from './openai.ts';
import type { Vendor } from './vendor.ts';

/** OpenAI's Chat Completions API. */
export const openaiChat: Vendor = {
  ...openai,
  name: 'openai-chat',
  async createModel({ apiKey, baseUrl, model }) {
    const { createOpenAI } = await import('@ai-sdk/openai');
    return createOpenAI({ apiKey, baseURL: baseUrl }).chat(model);
  },
};
