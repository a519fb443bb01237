import { CompressionStrategyError } from '../../../errors.ts';
import type { Mount } from '../../contract.ts';

/** @throws CompressionStrategyError `USAGE` if `text` is no address of a server. */
export function baseUrl(text: string, source: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new CompressionStrategyError(
    `Expected ${source} to be the base URL of a provider, such as https://api.anthropic.com, got ${JSON.stringify(text)}.`,
    'USAGE',
  );
}

/**
 * The mount of a provider. Its path begins with the provider's host, because pi asks for long cache lifetimes only where
 * its base URL contains `api.anthropic.com` or `api.openai.com`, and ends with the path of the base URL.
 */
export function mountOf(upstream: URL, rest: Omit<Mount, 'path' | 'upstream'> = {}): Mount {
  const ending = upstream.pathname.replace(/\/$/, '');
  return { path: `/${upstream.host.replace(':', '-')}${ending}`, upstream, ...rest };
}
