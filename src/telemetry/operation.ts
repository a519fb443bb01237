import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { messageOf } from '../errors.ts';
import type { Metrics } from './metrics.ts';

export interface OperationOptions {
  readonly metrics: Metrics;
  /** Why no new work should come here now; undefined: it may. */
  readonly notReady: () => string | undefined;
}

/** What an operator asks a service, without a token: `/health`, `/ready` and `/metrics`. Nothing of it is about a session. */
export class Operation {
  readonly #options: OperationOptions;

  constructor(options: OperationOptions) {
    this.#options = options;
  }

  /** True if it answers requests for this URL: then it answers this one. */
  answers(url: string | undefined, response: ServerResponse): boolean {
    const send = (status: number, type: string, body: string): void => {
      response.writeHead(status, { 'content-type': type }).end(body);
    };
    const say = (status: number, text: string): void =>
      send(status, 'application/json', JSON.stringify({ status: text }));
    const { metrics, notReady } = this.#options;
    if (url === '/health') say(200, 'ok');
    else if (url === '/ready') say(notReady() === undefined ? 200 : 503, notReady() ?? 'ok');
    else if (url === '/metrics')
      metrics.text().then(
        ({ type, body }) => send(200, type, body),
        (error: unknown) => say(500, messageOf(error)),
      );
    else return false;
    return true;
  }

  /** A server for a process that has none. @throws what listening throws, for example `EADDRINUSE`. */
  async listen({ host, port }: { readonly host: string; readonly port: number }): Promise<OperationServer> {
    const server = createServer((request, response) => {
      if (!this.answers(request.url, response)) response.writeHead(404).end();
    });
    server.listen(port, host);
    await once(server, 'listening');
    return {
      port: (server.address() as AddressInfo).port,
      close: async () => {
        server.close();
        server.closeAllConnections();
        await once(server, 'close');
      },
    };
  }
}

interface OperationServer {
  readonly port: number;
  close(): Promise<void>;
}
