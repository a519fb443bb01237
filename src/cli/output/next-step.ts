import path from 'node:path';
import { shortIds } from '../../sessions/places/session-ids.ts';
import { foundSessions } from '../../sessions/places/session-places.ts';
import { printable, quoted, terminal } from '../terminal/terminal.ts';
import { typedLine } from './own-command.ts';

/** How a session is named on the command line: by its short id if it is listed, else by its path. */
export function commandName(file: string): string {
  const ids = shortIds(foundSessions().map(({ path: found }) => found));
  return ids.get(path.resolve(file)) ?? quoted(file);
}

/** The extension of a new file for a session: that of its own, `.json` for one of a database. */
export const extensionOf = (file: string): string => (file.includes('.db#') ? '.json' : path.extname(file));

/** Prints what to type next, on standard error: one line under a result. */
export async function printNext(line: string): Promise<void> {
  const { notes } = terminal();
  await notes.print(`next: ${notes.colors.bold(printable(typedLine(line)))}\n`);
}
