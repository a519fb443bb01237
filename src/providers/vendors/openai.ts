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

/** OpenAI's Chat Completions API. */
export const openaiChat: Vendor = {
  ...openai,
  name: 'openai-chat',
  async createModel({ apiKey, baseUrl, model }) {
    const { createOpenAI } = await import('@ai-sdk/openai');
    return createOpenAI({ apiKey, baseURL: baseUrl }).chat(model);
  },
};

/**
 * Any server with the Chat Completions protocol: Ollama, LM Studio, vLLM, llama.cpp, gateways. The default address is
 * Ollama's.
 */
export const openaiCompatible: Vendor = {
  name: 'openai-compatible',
  keyVariables: ['OPENAI_COMPATIBLE_API_KEY'],
  worksWithoutKey: true,
  baseUrlVariable: 'OPENAI_COMPATIBLE_BASE_URL',
  defaultBaseUrl: 'http://localhost:11434/v1',
  createModel: (access) => openaiChat.createModel(access),
};
