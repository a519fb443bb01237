import { comparableLine } from '../content/lines/comparable-line.ts';
import { lineHash } from '../content/lines/line-hash.ts';
import type { NeededText } from './need.ts';
import type { VisibleText } from './visible-text.ts';

/** The lines of all texts that an edit replaces; `undefined` if one of these lines is not visible. */
export function editedLines(before: readonly string[], visible: VisibleText): NeededText[] | undefined {
  const found: NeededText[] = [];
  for (const text of before) {
    const lines = linesOf(text, visible);
    if (lines === undefined) return undefined;
    found.push(...lines);
  }
  return found;
}

function linesOf(text: string, visible: VisibleText): NeededText[] | undefined {
  const lines = text.split('\n');
  const found: NeededText[] = [];
  for (const [at, line] of lines.entries()) {
    const comparable = comparableLine(line);
    if (comparable === '') continue;
    const [whole] = visible.found([comparable], lineHash);
    if (whole !== undefined) {
      found.push(whole);
      continue;
    }
    // Only the first and the last line of a replaced text can be a part of a line.
    const isPart = at === 0 || at === lines.length - 1;
    const ids = isPart ? visible.linesWith(line.trim()) : [];
    if (ids.length === 0) return undefined;
    found.push({ text: line.trim(), ids });
  }
  return found;
}
