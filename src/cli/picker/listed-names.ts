import path from 'node:path';
import { firstMessage } from '../../sessions/places/first-message.ts';
import { shortIds } from '../../sessions/places/session-ids.ts';
import { foundSessions } from '../../sessions/places/session-places.ts';
import type { Column } from '../terminal/columns.ts';
import { printable } from '../terminal/terminal.ts';

/** How a table names session files: as `density sessions` lists them. */
export interface ListedNames {
  /** The id of the list; of a file that it does not contain, the name. */
  readonly nameOf: (file: string) => string;
  /** The start of the first message; empty for a file that the list does not contain. */
  readonly messageOf: (file: string) => string;
}

/** The column of first messages, which a narrow table leaves out first. */
export const MESSAGE_COLUMN: Column = { title: 'first message', shrink: 'end', least: 6, rank: 2 };

/** The names of the sessions on this computer. Reads the folders of all agents. */
export function listedNames(): ListedNames {
  const sessions = new Map(foundSessions().map((session) => [session.path, session]));
  const ids = shortIds([...sessions.keys()]);
  return {
    nameOf: (file) => ids.get(path.resolve(file)) ?? printable(path.basename(file)),
    messageOf: (file) => {
      const session = sessions.get(path.resolve(file));
      return printable((session && firstMessage(session)) ?? '');
    },
  };
}
