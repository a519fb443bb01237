import path from 'node:path';
import { CompressionStrategyError } from '../../errors.ts';
import { isRemovableCopy } from '../../sessions/copies/written-copy.ts';
import { firstMessage } from '../../sessions/places/first-message.ts';
import { sessionsOfProject, shortIds } from '../../sessions/places/session-ids.ts';
import { listed } from '../../sessions/places/session-list.ts';
import { type FoundSession, foundSessions } from '../../sessions/places/session-places.ts';
import { printable, terminal, UsageError } from '../terminal/terminal.ts';
import { ageOf, tokensOf } from './listed-words.ts';
import type { PickerRow } from './picker-state.ts';

/** Older sessions are found by id. */
const MAX_SESSIONS = 200;

/** True if the user can be asked: keys are read from standard input, the list is drawn on standard error. */
export const canPick = (): boolean => process.stdin.isTTY === true && terminal().notes.isLive;

/** Rows of sessions. Untouched copies that density wrote are last, and say what they are. */
function rowsOf(found: readonly FoundSession[], { isOwn, ids }: { isOwn: boolean; ids: ReadonlyMap<string, string> }) {
  const copies = new Set(found.filter(({ path: file }) => isRemovableCopy(file)));
  const ordered = [...found.filter((session) => !copies.has(session)), ...copies];
  return ordered.map((session): PickerRow => {
    const words = listed(session);
    const project = isOwn ? '' : printable(path.basename(words.project ?? path.dirname(session.path)));
    return {
      path: session.path,
      id: ids.get(session.path) ?? '',
      agent: session.agent,
      age: ageOf(session.changedAt, Date.now()),
      tokens: tokensOf(words),
      project: [copies.has(session) ? 'copy' : '', project].filter(Boolean).join(' · '),
      isOwn,
      title: '',
    };
  });
}

/**
 * The path of the session that the user picks, those of this folder's project first. In each group the newest is first, and unchanged copies are last.
 * @throws CompressionStrategyError `SESSION_UNKNOWN` if there is none that `fits`; `USAGE` if the user picked none.
 */
export async function pickedSession(fits: (session: FoundSession) => boolean = () => true): Promise<string> {
  const all = foundSessions();
  const ids = shortIds(all.map(({ path: file }) => file));
  const fitting = all.filter((session) => session.problem === undefined && fits(session));
  const { own, others } = sessionsOfProject(process.cwd(), fitting);
  const rows = [...rowsOf(own, { isOwn: true, ids }), ...rowsOf(others, { isOwn: false, ids })].slice(0, MAX_SESSIONS);
  if (rows.length === 0) {
    throw new CompressionStrategyError(
      'Expected a session to pick, but none was found on this computer. Name a session file; `density doctor` lists the folders that were searched.',
      'SESSION_UNKNOWN',
    );
  }
  const byPath = new Map(fitting.map((session) => [session.path, session]));
  const titleOf = (file: string): string => printable(firstMessage(byPath.get(file)!) ?? '');
  const { askForRow } = await import('./ask-for-row.ts');
  const picked = await askForRow({ rows, titleOf });
  if (picked === undefined) throw new UsageError('No session was picked.');
  const { notes } = terminal();
  await notes.print(`${notes.colors.dim('session')} ${ids.get(picked)}\n`);
  return picked;
}
