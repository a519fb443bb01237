import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { codeOf } from '../../errors.ts';

/** What the parser of Node refuses, by its code; everything else is a bad request. */
const STATUS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** Ends a connection with an answer without a body. The agent may be gone before it reads this. */
export function turnAway(socket: Duplex, status: string): void {
  socket.on('error', () => {});
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () => socket.destroy());
}

/**
 * Answers at once what is no request: `CONNECT`, and what two readers may read differently, such as a request with both
 * `Content-Length` and `Transfer-Encoding`. An answer that runs on the same connection breaks off.
 */
export function refuseUnreadable(server: Server): void {
  const answering = new WeakSet<Duplex>();
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    answering.add(socket);
    response.once('close', () => answering.delete(socket));
  });
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => turnAway(socket, '405 Method Not Allowed'));
  server.on('clientError', (error: Error, socket: Duplex) => {
    if (answering.has(socket) || !socket.writable) socket.destroy();
    else turnAway(socket, STATUS[String(codeOf(error))] ?? '400 Bad Request');
  });
}
