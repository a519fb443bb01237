import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/** A larger file is not looked at. */
const MAX_BYTES = 8 << 20;

/** The texts of those files that can be read; absolute paths. */
export const fileTexts = (files: readonly string[]): readonly string[] =>
  [...new Set(files)].flatMap((file) => {
    try {
      return path.isAbsolute(file) && statSync(file).size <= MAX_BYTES ? readFileSync(file, 'utf8') : [];
    } catch {
      // It is not there yet, or cannot be read.
      return [];
    }
  });
