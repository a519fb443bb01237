import { apiOfPath } from '../formats/api-path.ts';
import type { OutgoingRequest } from '../live/exchange/contract.ts';
import { liveChanges } from '../live/exchange/live-changes.ts';
import { sendChanged } from '../live/exchange/send-changed.ts';
import { type AdapterOptions, warningOptions } from './adapter-options.ts';

/** A request of an SDK, as it is about to be sent. */
export interface HttpRequest {
  readonly url: string;
  readonly method: string | undefined;
  readonly headers: ConstructorParameters<typeof Headers>[0];
  readonly body: unknown;
  readonly signal: AbortSignal | null | undefined;
}

/** What is sent instead of a request's own body and headers. */
interface ChangedParts {
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly headers: Headers;
}

/** Sends a request: with other parts, or as its SDK wrote it. */
type Send = (changed?: ChangedParts) => Promise<Response>;

/** Sends each request pruned, if it asks one of the four APIs; the rules are those of `sendChanged`. Throws what `send` throws. */
export function httpExchange(options: AdapterOptions): (request: HttpRequest, send: Send) => Promise<Response> {
  const change = liveChanges(warningOptions(options));
  return async (request, send) => {
    const outgoing = outgoingRequest(request);
    if (outgoing === undefined) return send();
    const partsWith = (bytes: Uint8Array): ChangedParts => {
      const headers = new Headers(request.headers);
      headers.delete('content-length');
      return {
        body: typeof request.body === 'string' ? new TextDecoder().decode(bytes) : new Uint8Array(bytes),
        headers,
      };
    };
    const { answer } = await sendChanged(outgoing, {
      change,
      send: (bytes) => send(bytes && partsWith(bytes)),
      refusal: async ({ body }) => {
        await body?.cancel().catch(() => {});
        return '';
      },
    });
    return answer;
  };
}

/** The request as a pruner reads it; undefined for one that it cannot read, or that asks none of the APIs. */
function outgoingRequest({ url, method, headers: given, body, signal }: HttpRequest): OutgoingRequest | undefined {
  if (method?.toUpperCase() !== 'POST') return undefined;
  try {
    const { pathname, origin: upstream } = new URL(url);
    const asked = apiOfPath(pathname);
    const bytes = bytesOf(body);
    const headers = new Headers(given);
    if (asked === undefined || bytes === undefined || headers.has('content-encoding')) return undefined;
    return { ...asked, upstream, headers: Object.fromEntries(headers), body: bytes, ...(signal && { signal }) };
  } catch {
    // A wrong address or header: what sends the request says so.
    return undefined;
  }
}

/** The bytes of a body that can be read without taking it from the one who sends it. */
function bytesOf(body: unknown): Uint8Array | undefined {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  return body instanceof Uint8Array ? body : undefined;
}
