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

/** A result as text: a string as it is, `undefined` as '', any other value as JSON. */
export function resultText(result: unknown): string {
  if (typeof result === 'string') return result;
  return result === undefined ? '' : jsonText(result, 'a tool result');
}
