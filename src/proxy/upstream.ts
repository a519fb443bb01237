import { Readable } from 'node:stream';
import { type Dispatcher, EnvHttpProxyAgent, request } from 'undici';

const CONNECT_TIMEOUT_MS = 30_000;

interface UpstreamRequest {
  readonly target: URL;
  readonly method: string;
  /** Names and values, one after the other. */
  readonly headers: readonly string[];
  readonly body: Uint8Array | NodeJS.ReadableStream | null;
  readonly signal: AbortSignal;
}

export interface UpstreamAnswer {
  readonly status: number;
  /** Names and values, one after the other, as they came. */
  readonly headers: readonly string[];
  /** Not decoded. */
  readonly body: Dispatcher.ResponseData['body'];
}

/** The connections to providers. Follows no redirect, waits as long as the agent does, respects the proxy of the environment. */
export class Upstream {
  readonly #agent = new EnvHttpProxyAgent({
    connect: { timeout: CONNECT_TIMEOUT_MS },
    headersTimeout: 0,
    bodyTimeout: 0,
    noProxy: [process.env['no_proxy'] ?? process.env['NO_PROXY'], '127.0.0.1', 'localhost', '[::1]']
      .filter(Boolean)
      .join(','),
  });

  /** @throws when the provider cannot be reached or the signal is aborted. */
  async send({ target, method, headers, body, signal }: UpstreamRequest): Promise<UpstreamAnswer> {
    const {
      statusCode,
      headers: raw,
      body: answer,
    } = await request(target, {
      method: method as Dispatcher.HttpMethod,
      headers: body instanceof Uint8Array ? [...headers, 'content-length', String(body.length)] : [...headers],
      body: body instanceof Uint8Array ? oneChunk(body) : (body as Readable | null),
      signal,
      dispatcher: this.#agent,
      responseHeaders: 'raw',
    });
    // The types of undici do not know `responseHeaders: 'raw'`, which makes a flat list.
    return { status: statusCode, headers: raw as unknown as string[], body: answer };
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}

/** A body that is let go once it is sent: a request keeps its own until its answer has ended, which may take minutes. */
function oneChunk(body: Uint8Array): Readable | null {
  if (body.length === 0) return null;
  let left: Uint8Array | null = body;
  return new Readable({
    read() {
      this.push(left);
      left = null;
    },
  });
}
