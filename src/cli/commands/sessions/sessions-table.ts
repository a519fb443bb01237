import type { Origins } from '../../../sessions/copies/origins.ts';
import { pathFromHome } from '../../../sessions/places/home-folder.ts';
import type { ListedSession } from '../../../sessions/places/session-list.ts';
import { ageOf, placeOf, removableOf, tokensOf } from '../../picker/listed-words.ts';
import { printable } from '../../terminal/printable.ts';
import { type Column, tableLines } from '../../terminal/table.ts';
import type { Screen } from '../../terminal/terminal.ts';

/** What is known of listed sessions beside themselves. */
export interface ShownSessions {
  readonly screen: Screen;
  readonly now: number;
  /** The short id of each path. */
  readonly ids: ReadonlyMap<string, string>;
  readonly origins: Origins;
  /** Dollars of each path; absent: nobody asked. */
  readonly costs?: ReadonlyMap<string, number>;
}

interface SessionColumn extends Column {
  readonly isBold?: true;
  readonly cell: (session: ListedSession) => string;
}

/** What a session is a copy of: a short id, or a path that is not listed. */
function copiedFrom(session: ListedSession, { ids, origins }: ShownSessions): string {
  const origin = origins.of(session);
  return origin === undefined ? '' : (ids.get(origin) ?? printable(pathFromHome(origin)));
}

function costOf(dollars: number | undefined): string {
  return dollars === undefined ? '–' : `$${dollars.toFixed(2)}`;
}

/** The lines of the table of these sessions. */
export function sessionsTable(sessions: readonly ListedSession[], shown: ShownSessions): string[] {
  const { screen, now, ids, costs } = shown;
  const { dim, bold } = screen.colors;
  const hasCopies = sessions.some((session) => copiedFrom(session, shown) !== '');
  const columns: SessionColumn[] = [
    { title: 'id', isBold: true, cell: ({ path: file }) => ids.get(file) ?? '' },
    { title: 'agent', cell: ({ agent }) => agent },
    { title: 'project', shrink: 'start', cell: (session) => printable(placeOf(session)) },
    { title: 'age', align: 'right', cell: ({ changedAt }) => ageOf(changedAt, now) },
    { title: 'tokens', align: 'right', isBold: true, cell: tokensOf },
    { title: 'removable', align: 'right', cell: removableOf },
  ];
  if (costs) columns.push({ title: 'cost', align: 'right', cell: ({ path: file }) => costOf(costs.get(file)) });
  if (hasCopies) columns.push({ title: 'copy of', shrink: 'start', cell: (session) => copiedFrom(session, shown) });
  return tableLines(
    columns,
    sessions.map((session) => columns.map(({ cell }) => cell(session))),
    {
      columns: screen.columns,
      heading: dim,
      cell: (text, _row, column) => (columns[column]?.isBold ? bold(text) : text),
    },
  );
}
