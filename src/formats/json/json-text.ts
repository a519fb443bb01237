import { jsonOf } from '../../content/foreign-value.ts';
import { CompressionStrategyError } from '../../errors.ts';

/**
 * The JSON text of a value for a file.
 * @throws CompressionStrategyError `SESSION_NOT_WRITABLE` if JSON cannot contain it.
 */
export function jsonText(value: unknown, name: string): string {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch (cause) {
    throw new CompressionStrategyError(
      `Expected ${name} to be plain data, got a value that JSON cannot contain (${String(cause)}). The file is not written.`,
      'SESSION_NOT_WRITABLE',
      { cause },
    );
  }
}

const encoder = new TextEncoder();

/** A value as a line of JSON, in UTF-8. @throws as `jsonText`. */
export const jsonLine = (value: unknown, name: string): Uint8Array => encoder.encode(`${jsonText(value, name)}\n`);

/** The arguments of a call: the object in their JSON, or the text if it is not an object. */
export function argumentsOf(given: unknown): unknown {
  if (typeof given !== 'string') return given ?? {};
  const value = jsonOf(given);
  return typeof value === 'object' && value !== null ? value : given;
}
