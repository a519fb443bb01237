/** Environment variables by name. Keys are read only from the environment, never from the command line or a file. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A `LanguageModel` of the AI SDK, whose declarations do not compile under all settings of a caller. */
interface VendorModel {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
}

/** The API of one vendor. */
export interface Vendor {
  readonly name: string;
  /** Variables with the key; the first one that is set counts. */
  readonly keyVariables: readonly string[];
  /** True if the API needs no key, like a local server. */
  readonly worksWithoutKey: boolean;
  readonly baseUrlVariable: string;
  /** The default address of the API; absent if there is none. */
  readonly defaultBaseUrl?: string;
  /** The default model: small, fast, with a large window. */
  readonly defaultModel?: string;
  /** Loads the vendor's client and creates the model. */
  createModel(access: { apiKey: string; baseUrl: string; model: string }): Promise<VendorModel>;
}

/** `url` without trailing slashes and with `version` as its last segment, which some vendors' tools omit. */
function versionedUrl(url: string, version: string): string {
  const bare = url.replace(/^(.*[^/])\/*$/s, '$1');
  return bare.endsWith(`/${version}`) ? bare : `${bare}/${version}`;
}

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

/** OpenAI's Responses API. */
const openai: Vendor = {
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
const openaiChat: Vendor = {
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
const openaiCompatible: Vendor = {
  name: 'openai-compatible',
  keyVariables: ['OPENAI_COMPATIBLE_API_KEY'],
  worksWithoutKey: true,
  baseUrlVariable: 'OPENAI_COMPATIBLE_BASE_URL',
  defaultBaseUrl: 'http://localhost:11434/v1',
  createModel: (access) => openaiChat.createModel(access),
};

/** Google's Gemini API. */
const google: Vendor = {
  name: 'google',
  keyVariables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
  worksWithoutKey: false,
  baseUrlVariable: 'GOOGLE_GEMINI_BASE_URL',
  defaultBaseUrl: 'https://generativelanguage.googleapis.com',
  defaultModel: 'gemini-2.5-flash',
  async createModel({ apiKey, baseUrl, model }) {
    const { createGoogleGenerativeAI } = await import('@ai-sdk/google');
    return createGoogleGenerativeAI({ apiKey, baseURL: versionedUrl(baseUrl, 'v1beta') })(model);
  },
};

/** All vendors. */
export const VENDORS: readonly Vendor[] = [anthropic, openai, openaiChat, google, openaiCompatible];
