import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { readOr } from '../content/foreign-value.ts';

/** A larger file is not looked at. */
const MAX_BYTES = 8 << 20;

/** The texts of those files that can be read; absolute paths. */
export const fileTexts = (files: readonly string[]): readonly string[] =>
  [...new Set(files)].flatMap((file) =>
    // It may not be there yet, or cannot be read.
    readOr(() => (path.isAbsolute(file) && statSync(file).size <= MAX_BYTES ? readFileSync(file, 'utf8') : []), []),
  );
