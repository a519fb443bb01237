import { CompressionStrategyError } from '../../errors.ts';

/**
 * The JSON text of a value that goes into a file.
 * @throws CompressionStrategyError `SESSION_NOT_WRITABLE` when JSON cannot hold it.
 */
export function jsonText(value: unknown, name: string): string {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch (cause) {
    throw new CompressionStrategyError(
      `Expected ${name} to be plain data, got something that JSON cannot hold (${String(cause)}). The file is not written.`,
      'SESSION_NOT_WRITABLE',
      { cause },
    );
  }
}

/** What a result says as text: a string is itself, anything else its JSON, nothing the empty string. */
export function resultText(result: unknown): string {
  if (typeof result === 'string') return result;
  return result === undefined ? '' : jsonText(result, 'a tool result');
}
