import type { WebSocket } from './web-socket.ts';

/** A message of a WebSocket. */
export interface Frame {
  readonly data: Buffer;
  readonly isBinary: boolean;
}

/** So much may wait for a slow reader; until then its other end is not read. */
const MAX_WAITING_BYTES = 1024 * 1024;
/** Codes that a close frame may have. Source: RFC 6455, section 7.4. */
const isSendable = (code: number): boolean =>
  (code >= 1000 && code <= 1014 && ![1004, 1005, 1006].includes(code)) || (code >= 3000 && code <= 4999);
const NO_CODE = 1005;
const TOO_LONG = 1009;

/** Sends a frame from one end to the other, and reads no more from that end while too much waits. */
export function sendOn({ data, isBinary }: Frame, from: WebSocket, to: WebSocket): void {
  if (to.readyState !== to.OPEN) return;
  to.send(data, { binary: isBinary }, () => readOn(from, to));
  if (to.bufferedAmount > MAX_WAITING_BYTES) from.pause();
}

/** Reads from one end again, unless too much waits for the other one. */
export function readOn(from: WebSocket, to: WebSocket): void {
  if (from.isPaused && to.bufferedAmount <= MAX_WAITING_BYTES) from.resume();
}

/** Carries pings, their answers and the end from one end to the other. */
export function carryControl(from: WebSocket, to: WebSocket): void {
  from.on('ping', (data: Buffer) => to.readyState === to.OPEN && to.ping(data));
  from.on('pong', (data: Buffer) => to.readyState === to.OPEN && to.pong(data));
  let isTooLong = false;
  from.on('error', (error: Error & { code?: string }) => {
    isTooLong = error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH';
  });
  from.on('close', (code: number, reason: Buffer) => {
    if (code === NO_CODE) to.close();
    else if (isTooLong) to.close(TOO_LONG);
    else if (isSendable(code)) to.close(code, reason);
    else to.terminate();
  });
}
