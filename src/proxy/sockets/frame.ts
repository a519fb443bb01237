/** A message of a WebSocket. */
export interface Frame {
  readonly data: Buffer;
  readonly isBinary: boolean;
}
