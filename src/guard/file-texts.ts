import path from 'node:path';
import { readOr } from '../content/foreign-value.ts';
import { regularFileText } from '../disk/regular-file.ts';

/** What is larger, together with the files before it, is not looked at. */
const MAX_BYTES = 8 << 20;

/** The texts of those regular files that can be read; absolute paths. Whoever names them waits for no writer of a pipe. */
export function fileTexts(files: readonly string[]): readonly string[] {
  const texts: string[] = [];
  let leftBytes = MAX_BYTES;
  for (const file of new Set(files)) {
    // It may not be there yet, or cannot be read.
    const text = path.isAbsolute(file) ? readOr(() => regularFileText(file, leftBytes), undefined) : undefined;
    if (text === undefined) continue;
    leftBytes -= Buffer.byteLength(text);
    texts.push(text);
  }
  return texts;
}
