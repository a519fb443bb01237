import type { AdapterOptions } from './adapter-options.ts';
import { httpExchange } from './http-exchange.ts';

export interface PrunedFetchOptions extends AdapterOptions {
  /** What sends the requests; default: the `fetch` of Node. */
  readonly fetch?: typeof globalThis.fetch;
}

/**
 * A `fetch` for the SDKs of model providers: requests to the four APIs are pruned on their way, everything else goes through as it is.
 * A `Request` object and a body that is a stream are never looked at. See docs/adapters.md.
 */
export function prunedFetch({ fetch: given, ...options }: PrunedFetchOptions = {}): typeof globalThis.fetch {
  const exchange = httpExchange(options);
  return (input, init) => {
    const send = given ?? globalThis.fetch;
    if ((typeof input !== 'string' && !(input instanceof URL)) || init?.body === undefined) return send(input, init);
    const { method, headers, body, signal } = init;
    const request = { url: String(input), method, headers, body, signal };
    return exchange(request, (changed) => send(input, changed ? { ...init, ...changed } : init));
  };
}
