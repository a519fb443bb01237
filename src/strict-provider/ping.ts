import { isRecord } from '../content/foreign-value.ts';
import type { ProviderRequest, Said } from './contract.ts';

/** True for a request that asks for at most one token. */
export function isPing({ api, body, isCount = false }: ProviderRequest): boolean {
  const most = isRecord(body) ? body['max_tokens'] : undefined;
  return api === 'anthropic-messages' && !isCount && typeof most === 'number' && most <= 1;
}

/** The first token of the text, or nothing. */
export function pingAnswer({ text = '' }: Said, maxTokens: number, count: (text: string) => number): Said {
  let length = 0;
  while (length < text.length && count(text.slice(0, length + 1)) <= maxTokens) length++;
  return { text: text.slice(0, length) };
}
