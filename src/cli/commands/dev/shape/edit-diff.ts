import { structuredPatch } from 'diff';

const CONTEXT_LINES = 3;
/** Two long texts without a common line take minutes. */
const TIMEOUT_MS = 500;

/** The lines of a text without their ends. An empty text has none. */
function linesIn(text: string): readonly string[] {
  const lines = text.split(/\r?\n/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** Everything between the lines that both texts begin and end with. */
function coarseDiff(before: readonly string[], after: readonly string[]): string[] {
  let first = 0;
  while (first < before.length && before[first] === after[first]) first++;
  let last = 0;
  while (last < Math.min(before.length, after.length) - first && before.at(-1 - last) === after.at(-1 - last)) last++;
  return [
    `@@ line ${first + 1} @@`,
    ...before.slice(first, before.length - last).map((line) => `-${line}`),
    ...after.slice(first, after.length - last).map((line) => `+${line}`),
  ];
}

/** What an edit changes, as the lines of a patch with three lines around each change. The lines of a new file have no heading. */
export function editDiff(before: string, after: string): readonly string[] {
  if (before === '') return linesIn(after).map((line) => `+${line}`);
  const patch = structuredPatch('', '', before, after, undefined, undefined, {
    context: CONTEXT_LINES,
    timeout: TIMEOUT_MS,
  });
  if (patch === undefined) return coarseDiff(linesIn(before), linesIn(after));
  return patch.hunks.flatMap(({ newStart, lines }) => [
    `@@ line ${newStart} @@`,
    ...lines.map((line) => line.replace(/\r$/, '')),
  ]);
}
