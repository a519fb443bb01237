import type { ToolResponseBlock } from '../content.ts';
import { jsonText } from '../json-text.ts';

/** JSON of errors that say nothing. */
const SILENT: ReadonlySet<string> = new Set(['null', 'false', '0', '{}', '[]', '""']);

/**
 * What went wrong in a call; `undefined` if it succeeded: no error, or an empty one. An error that is no string is its
 * JSON, if that says something. Never throws. Source: docs/readings.md, row 36.
 */
export function errorOf(response: Pick<ToolResponseBlock, 'error'>): string | undefined {
  const error: unknown = response.error;
  if (error === undefined || typeof error === 'string') return error || undefined;
  if (error instanceof Error) return error.message || error.name;
  const json = [...jsonText(error)].join('');
  return SILENT.has(json) ? undefined : json;
}

/** The result itself, or with the error that it states: a text, or none. */
export function withStatedError(response: ToolResponseBlock): ToolResponseBlock {
  const stated = errorOf(response);
  if (stated === response.error) return response;
  const { error: _error, ...rest } = response;
  return stated === undefined ? rest : { ...rest, error: stated };
}
