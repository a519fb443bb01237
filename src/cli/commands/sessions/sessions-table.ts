import { dollars } from '../../../report/figures.ts';
import type { Origins } from '../../../sessions/copies/origins.ts';
import { pathFromHome } from '../../../sessions/places/home-folder.ts';
import type { ListedSession } from '../../../sessions/places/session-list.ts';
import { ageOf, projectOf, removableOf, tokensOf } from '../../picker/listed-words.ts';
import { type Column, tableLines } from '../../terminal/columns.ts';
import { printable, type Screen } from '../../terminal/terminal.ts';

/** What is known of listed sessions beside themselves. */
export interface ShownSessions {
  readonly screen: Screen;
  readonly now: number;
  /** True if the files are read whole, before or while the table is shown. */
  readonly isCounted: boolean;
  /** The short id of each path. */
  readonly ids: ReadonlyMap<string, string>;
  readonly origins: Origins;
  /** The start of the first message of each path. */
  readonly messages: ReadonlyMap<string, string>;
  /** Dollars of each path; absent if `--cost` is not given. */
  readonly costs?: ReadonlyMap<string, number>;
}

interface SessionColumn extends Column {
  readonly isBold?: true;
  readonly cell: (session: ListedSession) => string;
}

const MIN_MESSAGE = 6;

/** What a session is a copy of: a short id, or a path that is not listed. */
function copiedFrom(session: ListedSession, { ids, origins }: ShownSessions): string {
  const origin = origins.of(session);
  return origin === undefined ? '' : (ids.get(origin) ?? printable(pathFromHome(origin)));
}

/** The lines of the table of these sessions. */
export function sessionsTable(sessions: readonly ListedSession[], shown: ShownSessions): string[] {
  const { screen, now, isCounted, ids, costs, messages } = shown;
  const { dim, bold } = screen.colors;
  const firstWords = (session: ListedSession): string => {
    const origin = copiedFrom(session, shown);
    return [origin && `copy of ${origin}`, messages.get(session.path)].filter(Boolean).join(' · ');
  };
  const costOf = ({ path: file }: ListedSession): string => {
    const amount = costs?.get(file);
    return amount === undefined ? '–' : dollars(amount);
  };
  const columns: SessionColumn[] = [
    { title: 'id', isBold: true, cell: ({ path: file }) => ids.get(file) ?? '' },
    { title: 'agent', rank: 1, cell: ({ agent }) => agent },
    { title: 'age', align: 'right', cell: ({ changedAt }) => ageOf(changedAt, now) },
    { title: 'tokens', align: 'right', isBold: true, cell: tokensOf },
    ...(isCounted ? [{ title: 'removable', align: 'right', cell: removableOf } as const] : []),
    ...(costs ? [{ title: 'cost', align: 'right', cell: costOf } as const] : []),
    { title: 'project', shrink: 'start', rank: 2, cell: (session) => printable(projectOf(session)) },
    { title: 'first message', shrink: 'end', least: MIN_MESSAGE, cell: firstWords },
  ];
  return tableLines(
    columns,
    sessions.map((session) => columns.map(({ cell }) => cell(session))),
    {
      columns: screen.allColumns,
      heading: dim,
      cell: (text, _row, column) => (columns[column]?.isBold ? bold(text) : text),
    },
  );
}
