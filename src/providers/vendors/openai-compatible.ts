import { openaiChat } from './openai-chat.ts';
import type { Vendor } from './vendor.ts';

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
