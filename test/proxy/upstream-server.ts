import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly rawHeaders: readonly string[];
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** A provider of a test: records each request and answers as it is told. */
export class UpstreamServer {
  readonly seen: Seen[] = [];
  /** Of requests that the client left before their answer had ended. */
  left = 0;
  answer: (response: ServerResponse, seen: Seen) => unknown = (response) => response.end('{}');
  readonly #server: Server = createServer(((request, response) => {
    const chunks: Buffer[] = [];
    response.once('close', () => {
      if (!response.writableFinished) this.left++;
    });
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => {});
    request.on('end', () => {
      const { method = '', url = '', rawHeaders, headers } = request;
      const seen = { method, url, rawHeaders, headers, body: Buffer.concat(chunks) };
      this.seen.push(seen);
      this.answer(response, seen);
    });
  }) satisfies RequestListener);

  async start(): Promise<URL> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return new URL(`http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
