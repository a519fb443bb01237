import { addAbortSignal } from 'node:stream';
import { decodedBody } from '../intake/request-body.ts';
import type { UpstreamAnswer } from '../upstream.ts';

/** The most bytes that are read of a refusal that the agent does not see. The proxy does not wait for the rest. */
const MAX_ERROR_BYTES = 4_096;
const LONGEST_ERROR_MS = 250;

/** The start of a refusal. Never rejects: one that breaks off, or does not end, is as good. */
export async function errorText({ headers, body }: UpstreamAnswer): Promise<string> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  addAbortSignal(AbortSignal.timeout(LONGEST_ERROR_MS), body);
  try {
    for await (const chunk of body) {
      chunks.push(chunk as Uint8Array);
      sizeBytes += (chunk as Uint8Array).length;
      if (sizeBytes > MAX_ERROR_BYTES) break;
    }
  } catch {
    // What came of it has to do.
  }
  const [, encoding] = headerPairs(headers).find(([name]) => name.toLowerCase() === 'content-encoding') ?? [];
  const plain = await decodedBody(Buffer.concat(chunks), encoding);
  return Buffer.from(plain?.subarray(0, MAX_ERROR_BYTES) ?? []).toString();
}

/** Names and values of raw headers. */
export const headerPairs = (raw: readonly string[]): [string, string][] =>
  Array.from({ length: raw.length / 2 }, (_, at) => [raw[2 * at]!, raw[2 * at + 1]!]);
