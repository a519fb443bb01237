import { readFileSync, writeFileSync } from 'node:fs';

/** Moves the lines of a month in these sessions to one day, at the same time of day. */
export function moveCalls(
  files: readonly string[],
  { month, day }: { readonly month: string; readonly day: string },
): void {
  const times = new RegExp(String.raw`("timestamp":\s*")${month}-\d\d`, 'g');
  for (const file of files) writeFileSync(file, readFileSync(file, 'utf8').replaceAll(times, `$1${day}`));
}
