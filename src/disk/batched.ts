const DEFAULT_BATCH_BYTES = 1 << 20;

/** The pieces joined to batches of about `batchBytes` each (default: a megabyte), for one system call or message each. Batches share no memory. */
export function* batched(pieces: Iterable<Uint8Array>, batchBytes = DEFAULT_BATCH_BYTES): Generator<Uint8Array> {
  let waiting: Uint8Array[] = [];
  let sizeBytes = 0;
  for (const piece of pieces) {
    waiting.push(piece);
    sizeBytes += piece.length;
    if (sizeBytes < batchBytes) continue;
    yield Buffer.concat(waiting);
    waiting = [];
    sizeBytes = 0;
  }
  if (sizeBytes > 0) yield Buffer.concat(waiting);
}
