import { rmSync } from 'node:fs';
import { counted } from '../../../report/figures.ts';
import { isUntouched, removableCopies, type WrittenCopy } from '../../../sessions/copies/written-copy.ts';
import { pathFromHome } from '../../../sessions/places/home-folder.ts';
import { printNext } from '../../output/next-step.ts';
import { printable, printJson, terminal } from '../../terminal/terminal.ts';

/** Removes a copy, then the transcript that says that it is one. True if it was still as it was written. */
function removed(copy: WrittenCopy): boolean {
  if (!isUntouched(copy)) return false;
  rmSync(copy.path);
  rmSync(copy.transcript);
  return true;
}

/** Lists the copies that `density` wrote and no agent continued, or removes them. The removed text is in their sources. */
export async function printCopies({
  json,
  remove,
}: {
  readonly json: boolean | undefined;
  readonly remove: boolean | undefined;
}): Promise<void> {
  const { out } = terminal();
  const all = removableCopies();
  const copies = remove ? all.filter(removed) : all;
  if (json) {
    const isRemoved = remove === true;
    return printJson(...copies.map(({ path, source, id }) => ({ path, copyOf: source, agentId: id, isRemoved })));
  }
  for (const { path: file, source } of copies)
    await out.print(`${printable(pathFromHome(file))}\n  copy of ${printable(pathFromHome(source))}\n`);
  const what = counted(copies.length, 'copy', 'copies');
  await out.print(remove ? `${what} removed.\n` : `${what} that no agent has continued.\n`);
  if (!remove && copies.length > 0) await printNext('density sessions --copies --remove');
}
