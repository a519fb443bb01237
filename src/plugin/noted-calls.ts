import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { makeOwnerFolder, OWNER_FILE_MODE } from '../disk/owner-only.ts';
import { codeOf } from '../errors.ts';

/** What is noted of a call: which lines the model sees by it. */
interface NotedCall {
  readonly id: string;
  /** The same for calls that ask for the same. */
  readonly asked: number;
  /** The hashes of the lines that say something, each once. */
  readonly lines: Int32Array;
}

/** Whole numbers of 32 bits: how many follow, what was asked, how many bytes the id has; then the id and the hashes. */
const HEAD = 3;
const MAX_ID_BYTES = 200;
const NUMBER_BYTES = 4;

const numbersFor = (bytes: number): number => Math.ceil(bytes / NUMBER_BYTES);

/** Adds a call at the end of a file, in one write: each hook is a process of its own. @throws the system's error. */
export async function noteCall(file: string, { id, asked, lines }: NotedCall): Promise<void> {
  const name = Buffer.from(id);
  if (name.length > MAX_ID_BYTES) return;
  const numbers = new Int32Array(HEAD + numbersFor(name.length) + lines.length);
  numbers.set([numbers.length - 1, asked, name.length]);
  numbers.set(lines, numbers.length - lines.length);
  const bytes = Buffer.from(numbers.buffer);
  name.copy(bytes, HEAD * NUMBER_BYTES);
  if (!existsSync(file)) await makeOwnerFolder(path.dirname(file));
  appendFileSync(file, bytes, { mode: OWNER_FILE_MODE });
}

/** The calls in a file, in their order, up to one that is not complete. @throws the system's error. */
export function notedCalls(file: string): readonly NotedCall[] {
  const bytes = bytesOf(file);
  const numbers = new Int32Array(bytes.buffer, 0, Math.floor(bytes.length / NUMBER_BYTES));
  const calls: NotedCall[] = [];
  for (let at = 0; at + HEAD <= numbers.length; ) {
    const end = at + 1 + numbers[at]!;
    const idBytes = numbers[at + 2]!;
    const first = at + HEAD + numbersFor(idBytes);
    if (end > numbers.length || idBytes < 0 || idBytes > MAX_ID_BYTES || first > end) break;
    const idAt = (at + HEAD) * NUMBER_BYTES;
    const id = Buffer.from(bytes.buffer, idAt, idBytes).toString('utf8');
    calls.push({ id, asked: numbers[at + 1]!, lines: numbers.subarray(first, end) });
    at = end;
  }
  return calls;
}

/** In memory of its own, where numbers may begin. */
function bytesOf(file: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(readFileSync(file));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return new Uint8Array();
    throw error;
  }
}
