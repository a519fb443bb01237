import { createReadStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { unreadable } from '../../../disk/file-bytes.ts';
import { CompressionStrategyError } from '../../../errors.ts';

/** The name of standard input. */
const STANDARD_INPUT = '-';

/**
 * The text of a file, of a pipe, or for `-` of standard input: every character of it.
 * @throws CompressionStrategyError `SESSION_UNREADABLE` if it cannot be read, is no text in UTF-8, or is empty.
 */
export async function givenText(file: string): Promise<string> {
  const isInput = file === STANDARD_INPUT;
  const name = isInput ? 'standard input' : file;
  let bytes: Buffer;
  try {
    bytes = await buffer(isInput ? process.stdin : createReadStream(file));
  } catch (cause) {
    throw unreadable(name, cause);
  }
  const text = decoded(bytes);
  if (text === undefined) throw unusable(`text in UTF-8 in ${name}, but it is binary or in another encoding`);
  if (text === '') throw unusable(`what a tool printed in ${name}, but it is empty (0 bytes)`);
  return text;
}

/** `undefined` for what is no text. */
function decoded(bytes: Buffer): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

const unusable = (what: string): CompressionStrategyError =>
  new CompressionStrategyError(`Expected ${what}.`, 'SESSION_UNREADABLE');
