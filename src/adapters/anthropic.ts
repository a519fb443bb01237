import type { AdapterOptions } from './adapter-options.ts';
import { type HttpRequest, httpExchange } from './http-exchange.ts';

/** What the SDK calls for each attempt to send a request. */
type Middleware = <Request extends MiddlewareRequest>(
  request: Request,
  next: (request: Request) => Promise<Response>,
) => Promise<Response>;

/** A request of the SDK: what it gives to `fetch`, and the address. */
interface MiddlewareRequest {
  url: string;
  method?: string | undefined;
  headers?: HttpRequest['headers'];
  body?: unknown;
  signal?: AbortSignal | null | undefined;
}

/** A middleware of `@anthropic-ai/sdk` (0.101 or newer) that prunes requests before they are signed. See docs/adapters.md. */
export function prunedMessages(options: AdapterOptions = {}): Middleware {
  const exchange = httpExchange(options);
  return (request, next) => {
    const { url, method, headers, body, signal } = request;
    return exchange({ url, method, headers, body, signal }, (changed) =>
      next(changed ? { ...request, ...changed } : request),
    );
  };
}
