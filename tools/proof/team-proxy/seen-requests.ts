import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StrictProvider } from '../../../src/strict-provider/strict-provider.ts';

/** Names the request for the proof; the proxy sends it on as it sends all headers. */
export const REQUEST_HEADER = 'x-proof-request';

/** What the strict provider saw: of each request the hashes of all bodies that came for it. */
export class SeenRequests {
  readonly bodies = new Map<string, Set<string>>();
  /** The text of the last body of each request. */
  readonly texts = new Map<string, string>();
  keepsTexts = false;
  /** False: everything is accepted at once, so that only the proxy takes time. */
  isStrict = true;
  refused = 0;
  readonly #provider = new StrictProvider();
  readonly #server = createServer({ keepAliveTimeout: 120_000 }, async (request, response) => {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      // Its replica was killed before it had sent all.
      return;
    }
    const bytes = Buffer.concat(chunks);
    const name = String(request.headers[REQUEST_HEADER]);
    const hashes = this.bodies.get(name) ?? new Set();
    this.bodies.set(name, hashes.add(createHash('sha256').update(bytes).digest('hex')));
    if (this.keepsTexts) this.texts.set(name, bytes.toString());
    const { status, body } = this.isStrict ? this.#received(bytes) : { status: 200, body: {} };
    if (status !== 200) this.refused++;
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });

  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #received(bytes: Buffer): { status: number; body: object } {
    return this.#provider.receive({ api: 'anthropic-messages', body: JSON.parse(bytes.toString()) }, Date.now());
  }
}
