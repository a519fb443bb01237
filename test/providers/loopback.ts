import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The reaction of the server to one request. */
export type Answer = (response: ServerResponse, closed: Promise<void>) => void | Promise<void>;

export interface SeenRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

/** A server on this computer that sends a test's answers, one by one, and records the requests. */
export class Loopback {
  readonly requests: SeenRequest[] = [];
  readonly #server: Server;
  readonly #answers: Answer[] = [];
  /** Resolves when the client has closed the latest request. */
  clientLeft: Promise<void> = Promise.resolve();

  constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      const closed = new Promise<void>((resolve) => response.once('close', () => resolve()));
      this.clientLeft = closed;
      response.on('error', () => {});
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
        this.requests.push({ path: request.url ?? '', headers: request.headers, body });
        // The last answer is given again to every further request.
        const answer = this.#answers.length > 1 ? this.#answers.shift() : this.#answers[0];
        if (answer === undefined) response.writeHead(500).end('no answer planned');
        else void answer(response, closed);
      });
    });
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Sets the next answers; the last one is repeated for every further request. */
  willAnswer(...answers: Answer[]): void {
    this.requests.length = 0;
    this.#answers.splice(0, this.#answers.length, ...answers);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}

const beginStream = (response: ServerResponse): ServerResponse =>
  response.writeHead(200, { 'content-type': 'text/event-stream' });

/** A whole stream. */
export const stream =
  (events: readonly string[]): Answer =>
  (response) => {
    beginStream(response);
    for (const event of events) response.write(event);
    response.end();
  };

/** The start of a stream, whose connection is then cut or, `politely`, closed like a complete one. */
export const cutStream =
  (events: readonly string[], how: 'cut' | 'politely'): Answer =>
  async (response) => {
    beginStream(response);
    for (const event of events) await new Promise<void>((resolve) => response.write(event, () => resolve()));
    if (how === 'cut') response.destroy();
    else response.end();
  };

/** A stream that sends the next event whenever the last one was received, without an end. */
export const endlessStream =
  (opening: readonly string[], event: string): Answer =>
  async (response, closed) => {
    beginStream(response);
    for (const first of opening) response.write(first);
    let isOpen = true;
    void closed.then(() => {
      isOpen = false;
    });
    while (isOpen) {
      await new Promise<void>((resolve) => response.write(event, () => resolve()));
      await new Promise((resolve) => setImmediate(resolve));
    }
  };

/** A stream that sends these events and is never closed. */
export const silentStream =
  (events: readonly string[]): Answer =>
  (response) => {
    beginStream(response).flushHeaders();
    for (const event of events) response.write(event);
  };

/** An answer without a stream. */
export const plain =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Answer =>
  (response) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
  };
