import { z } from 'zod';
import { ToolError } from '../tool-error.ts';

/** A path parameter: relative to the workspace, or absolute inside it. */
export const filePath = z.string().min(1).describe('Path of the file, relative to the workspace.');

export const lineNumber = z.int().min(1);

/** The lines of a text and their ends. */
interface TextLines {
  readonly lines: readonly string[];
  readonly lineEnd: '\n' | '\r\n';
  /** True if the last line has an end too. */
  readonly isEnded: boolean;
}

/** The lines of a text without their ends. An empty text has none. */
export function linesIn(text: string): TextLines {
  const lineEnd = /\r\n/.test(text) ? '\r\n' : '\n';
  if (text === '') return { lines: [], lineEnd, isEnded: true };
  const lines = text.split(/\r?\n/);
  const isEnded = lines.at(-1) === '';
  return { lines: isEnded ? lines.slice(0, -1) : lines, lineEnd, isEnded };
}

export const textOf = ({ lines, lineEnd, isEnded }: TextLines): string =>
  lines.join(lineEnd) + (isEnded && lines.length > 0 ? lineEnd : '');

/** Lines `first` to `last`, counted from 1. @throws ToolError if `first` is after the end or after `last`. */
export function lineRange(lines: readonly string[], first: number, last: number): readonly string[] {
  if (last < first) throw new ToolError(`Expected end_line of at least ${first}, got ${last}.`);
  if (first > lines.length) throw new ToolError(`Expected start_line up to ${lines.length}, got ${first}.`);
  return lines.slice(first - 1, last);
}
