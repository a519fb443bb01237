import { type Command, InvalidArgumentError } from 'commander';
import { counted } from '../../../report/figures.ts';
import { Origins } from '../../../sessions/copies/origins.ts';
import { pathFromHome } from '../../../sessions/places/home-folder.ts';
import { shortIds } from '../../../sessions/places/session-ids.ts';
import { countSessions, type ListedSession, listed } from '../../../sessions/places/session-list.ts';
import { foundSessions, sessionPlaces } from '../../../sessions/places/session-places.ts';
import { optimizeConfig } from '../../../sessions/prunable.ts';
import { createEphemerals } from '../../../settings/resolve.ts';
import { layersInForce } from '../../options/setting-sources.ts';
import { printNext } from '../../output/next-step.ts';
import { ageOf, placeOf, removableOf, tokensOf } from '../../picker/listed-words.ts';
import { printable } from '../../terminal/printable.ts';
import { rightAligned, tableLines } from '../../terminal/table.ts';
import { type Screen, terminal } from '../../terminal/terminal.ts';

interface SessionsOptions {
  readonly copies?: boolean;
  readonly remove?: boolean;
  readonly json?: boolean;
  readonly ids?: boolean;
  readonly exact?: boolean;
  readonly limit?: number;
}

/** Rows without `--limit`. */
const ROWS = 20;
/** Ids without `--limit`. */
const ID_ROWS = 100;
/** Lines of the terminal that the live table leaves free. */
const FREE_LINES = 4;

interface Shown {
  readonly screen: Screen;
  readonly now: number;
  /** The short id of each path. */
  readonly ids: ReadonlyMap<string, string>;
  readonly origins: Origins;
}

/** What a session is a copy of: a short id, or a path that is not listed. */
function copiedFrom(session: ListedSession, { ids, origins }: Shown): string {
  const origin = origins.of(session);
  return origin === undefined ? '' : (ids.get(origin) ?? pathFromHome(origin));
}

function table(sessions: readonly ListedSession[], shown: Shown): string[] {
  const { screen, now, ids } = shown;
  const { dim, bold } = screen.colors;
  const copied = sessions.map((session) => copiedFrom(session, shown));
  const hasCopies = copied.some((origin) => origin !== '');
  return tableLines(
    [
      { title: 'id' },
      { title: 'agent' },
      { title: 'project', shrink: 'start' },
      ...rightAligned('age', 'tokens', 'removable'),
      ...(hasCopies ? [{ title: 'copy of', shrink: 'start' as const }] : []),
    ],
    sessions.map((session, at) => [
      ids.get(session.path) ?? '',
      session.agent,
      printable(placeOf(session)),
      ageOf(session.changedAt, now),
      tokensOf(session),
      removableOf(session),
      ...(hasCopies ? [printable(copied[at]!)] : []),
    ]),
    {
      columns: screen.columns,
      heading: dim,
      cell: (text, _row, column) => (column === 0 || column === 4 ? bold(text) : text),
    },
  );
}

function record(session: ListedSession, { ids, origins }: Pick<Shown, 'ids' | 'origins'>): string {
  const { agent, path: file, changedAt, sizeBytes, project, tokens, figures, problem, told } = session;
  return `${JSON.stringify({
    id: ids.get(file),
    agent,
    path: file,
    project: project ?? null,
    changedAt: new Date(changedAt).toISOString(),
    sizeBytes,
    format: figures?.format ?? null,
    model: figures?.model ?? null,
    entries: figures?.entries ?? null,
    tokens: figures?.contextTokens ?? tokens ?? null,
    isEstimate: figures === undefined,
    removableTokens: figures?.removableTokens ?? null,
    copyOf: origins.of(session) ?? null,
    problem: problem ?? null,
    ...(told && { title: told.title, subAgents: told.subAgents }),
  })}\n`;
}

/** Counts by the settings in force in this folder. */
async function countExactly(
  sessions: readonly ListedSession[],
  onCounted: (index: number, session: ListedSession) => void,
): Promise<void> {
  const optimize = optimizeConfig(createEphemerals(await layersInForce({}), { model: 'unknown' }));
  await countSessions(sessions, { optimize, onCounted });
}

/** Draws the table, and draws it again whenever the figures of a session arrive. */
async function drawLive(sessions: ListedSession[], shown: Shown): Promise<void> {
  const { screen } = shown;
  const first = table(sessions, shown);
  await screen.print(`${first.join('\n')}\n`);
  await countExactly(sessions, (index, session) => {
    sessions[index] = session;
    const lines = table(sessions, shown);
    screen.stream.write(`\u001b[${lines.length}A\u001b[J${lines.join('\n')}\n`);
  });
}

async function sessions(options: SessionsOptions): Promise<void> {
  const { json, ids: isIdsOnly, exact, limit, copies, remove } = options;
  if (copies || remove) {
    const { printCopies } = await import('./written-copies.ts');
    return printCopies({ json, remove });
  }
  const all = foundSessions();
  const origins = new Origins(all);
  const ids = shortIds(all.map(({ path: file }) => file));
  const { out, notes } = terminal();
  if (isIdsOnly) {
    const now = Date.now();
    const lines = all.slice(0, limit ?? ID_ROWS).map((found) => {
      const session = listed(found);
      return `${ids.get(found.path)}\t${session.agent}, ${ageOf(session.changedAt, now)}, ${printable(placeOf(session))}\n`;
    });
    await out.print(lines.join(''));
    return;
  }
  if (json) {
    const chosen = all.slice(0, limit).map(listed);
    if (exact) await countExactly([...chosen], (index, session) => chosen.splice(index, 1, session));
    await out.print(chosen.map((session) => record(session, { ids, origins })).join(''));
    return;
  }
  if (all.length === 0) {
    const searched = [...new Set(sessionPlaces().map(({ agent }) => agent))].join(', ');
    await out.print(`No session found on this computer. Searched the folders of ${searched}.\n`);
    return;
  }
  const most = limit ?? ROWS;
  const fitting = out.isLive ? Math.max(1, Math.min(most, (out.stream.rows || ROWS) - FREE_LINES)) : most;
  const rows = all.slice(0, fitting).map(listed);
  const shown = { screen: out, now: Date.now(), ids, origins };
  if (out.isLive) await drawLive(rows, shown);
  else {
    if (exact) await countExactly([...rows], (index, session) => rows.splice(index, 1, session));
    await out.print(`${table(rows, shown).join('\n')}\n`);
  }
  const newest = rows.find(({ problem }) => problem === undefined);
  const next = newest && ids.get(newest.path);
  const more = all.length - rows.length;
  if (more > 0) await notes.print(notes.colors.dim(`and ${counted(more, 'older one')}; --limit shows more\n`));
  if (rows.some(({ figures, tokens }) => figures === undefined && tokens !== undefined))
    await notes.print(notes.colors.dim('≈ estimated from both ends of the file; --exact reads the whole file\n'));
  if (next !== undefined) await printNext(`density inspect ${next}`);
}

function parseLimit(text: string): number {
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1) throw new InvalidArgumentError('Expected a whole number, at least 1.');
  return limit;
}

/** `density sessions`: lists the sessions that agents recorded on this computer. */
export function defineSessions(command: Command): void {
  command
    .description(
      'Lists the sessions in the folders of all known agents, newest first. ≈ means that the tokens are estimated from both ends of a file; on a terminal, threads then read the whole file and the table shows exact figures. Writes nothing to these folders; --remove removes from them only copies that density wrote and that are still as it wrote them.',
    )
    .option('--limit <number>', 'sessions to list (default: 20, all with --json)', parseLimit)
    .option('--exact', 'read every listed session before printing')
    .option('--copies', 'the smaller copies that density wrote and nobody went on from')
    .option('--remove', 'remove these copies, and list what was removed')
    .option('--ids', 'only ids, each with a tab and a description, for scripts and completion')
    .option('--json', 'one JSON object per line, for each session')
    .action(sessions);
}
