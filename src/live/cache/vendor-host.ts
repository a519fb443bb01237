import type { LiveApi, PrunerOptions } from '../contract.ts';

/** What is done for the prompt cache where the vendor does not answer. */
export const NO_CACHE_STEPS = { cacheMarks: false, cacheLifetime: 'agent' } as const satisfies Partial<PrunerOptions>;

/** Where the vendor of an API answers. Others who speak it may refuse what they do not know, or bill it in another way. */
const HOSTS: Readonly<Partial<Record<LiveApi, string>>> = {
  'anthropic-messages': 'https://api.anthropic.com',
  'openai-responses': 'https://api.openai.com',
  'openai-chat': 'https://api.openai.com',
};

/** True if requests to this origin are answered by the vendor of the API. */
export const isVendorHost = (api: LiveApi, origin: string): boolean => HOSTS[api] === origin;
