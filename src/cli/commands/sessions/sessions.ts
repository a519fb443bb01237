import { type Command, InvalidArgumentError } from 'commander';
import type { BilledFile } from '../../../lab/files/billed-file.ts';
import type { FileQuestion } from '../../../lab/files/file-answers.ts';
import { counted } from '../../../report/figures.ts';
import { Origins } from '../../../sessions/copies/origins.ts';
import { isRemovableCopy } from '../../../sessions/copies/written-copy.ts';
import { firstMessage } from '../../../sessions/places/first-message.ts';
import { shortIds } from '../../../sessions/places/session-ids.ts';
import { countSessions, type ListedSession, listed } from '../../../sessions/places/session-list.ts';
import { foundSessions, sessionPlaces } from '../../../sessions/places/session-places.ts';
import { optimizeConfig } from '../../../sessions/prunable.ts';
import { createEphemerals } from '../../../settings/resolve.ts';
import { fileQuestions } from '../../options/asked-files.ts';
import { fittingSessions } from '../../options/filter/fitting-sessions.ts';
import { filterWords, type SessionFilter, sessionFilterOptions } from '../../options/filter/session-filter.ts';
import { onFileAnswers } from '../../options/on-file-answers.ts';
import { layersInForce } from '../../options/setting-sources.ts';
import { printNext } from '../../output/next-step.ts';
import { ageOf, projectOf } from '../../picker/listed-words.ts';
import { startProgress } from '../../terminal/progress.ts';
import { printable, printJson, terminal, UsageError } from '../../terminal/terminal.ts';
import { type ShownSessions, sessionsTable } from './sessions-table.ts';

interface SessionsOptions extends SessionFilter {
  readonly copies?: boolean;
  readonly remove?: boolean;
  readonly json?: boolean;
  readonly ids?: boolean;
  readonly exact?: boolean;
  readonly cost?: boolean;
  readonly limit?: number;
}

/** Rows without `--limit`. */
const ROWS = 20;
/** Ids without `--limit`. */
const ID_ROWS = 100;
/** Lines of the terminal that the live table leaves free. */
const FREE_LINES = 4;

function record(
  session: ListedSession,
  { ids, origins, costs, messages }: Omit<ShownSessions, 'screen' | 'now' | 'isCounted'>,
) {
  const { agent, path: file, changedAt, sizeBytes, project, tokens, figures, problem, told } = session;
  return {
    id: ids.get(file),
    agent,
    path: file,
    project: project ?? null,
    firstMessage: messages.get(file) ?? null,
    changedAt: new Date(changedAt).toISOString(),
    sizeBytes,
    format: figures?.format ?? null,
    model: figures?.model ?? null,
    entries: figures?.entries ?? null,
    tokens: figures?.contextTokens ?? tokens ?? null,
    isEstimate: figures === undefined,
    removableTokens: figures?.removableTokens ?? null,
    ...(costs && { dollars: costs.get(file) ?? null }),
    copyOf: origins.of(session) ?? null,
    problem: problem ?? null,
    ...(told && { title: told.title, subAgents: told.subAgents }),
  };
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
async function drawLive(sessions: ListedSession[], shown: ShownSessions): Promise<void> {
  const { screen } = shown;
  const first = sessionsTable(sessions, shown);
  await screen.print(`${first.join('\n')}\n`);
  await countExactly(sessions, (index, session) => {
    sessions[index] = session;
    const lines = sessionsTable(sessions, shown);
    screen.stream.write(`\u001b[${lines.length}A\u001b[J${lines.join('\n')}\n`);
  });
}

/** The list price of the recorded calls that are a session's own; undefined if it records no usage of a model with a price. */
function dollarsOf({ calls, copiedCalls }: BilledFile): number | undefined {
  const priced = calls.filter(({ price }) => price.match !== 'unknown');
  if (priced.length > 0) return priced.reduce((sum, { dollars }) => sum + dollars, 0);
  return calls.length === 0 && copiedCalls.length > 0 ? 0 : undefined;
}

/** What each of these session files cost, as `density bill --by session` says it; reads all of each, on threads. Without those that have no known cost. */
async function sessionCosts(files: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const costs = new Map<string, number>();
  if (files.length === 0) return costs;
  const unnamed = async () => ({ named: [], files, fromFolders: new Set(files) });
  await onFileAnswers<FileQuestion, BilledFile>('bill', { names: [], unnamed }, async (_, threads) => {
    const progress = startProgress('billing', files.length, 'sessions');
    let done = 0;
    try {
      await threads.ask(await fileQuestions(files, { threads, chosen: files }), (outcome) => {
        const dollars = 'result' in outcome ? dollarsOf(outcome.result) : undefined;
        if (dollars !== undefined) costs.set(outcome.path, dollars);
        progress.update(++done);
      });
    } finally {
      progress.stop();
    }
  });
  return costs;
}

const costsOf = (sessions: readonly ListedSession[]): Promise<ReadonlyMap<string, number>> =>
  sessionCosts(sessions.flatMap(({ path: file, problem }) => (problem === undefined ? [file] : [])));

const messagesOf = (sessions: readonly ListedSession[]): ReadonlyMap<string, string> =>
  new Map(
    sessions.flatMap((session) => {
      const message = firstMessage(session);
      return message === undefined ? [] : [[session.path, message]];
    }),
  );

/** Why there is no row. */
function noSession(found: number, filter: SessionFilter): string {
  if (found > 0)
    return `None of the ${counted(found, 'session')} on this computer fits ${printable(filterWords(filter))}.`;
  const searched = [...new Set(sessionPlaces().map(({ agent }) => agent))].join(', ');
  return `No session found on this computer. Searched the folders of ${searched}.`;
}

async function sessions(options: SessionsOptions): Promise<void> {
  const { json, ids: isIdsOnly, exact, cost, limit, copies, remove } = options;
  if (copies || remove) {
    const words = filterWords(options);
    if (words !== '') throw new UsageError(`Expected --copies and --remove without a filter, got ${words}.`);
    const { printCopies } = await import('./written-copies.ts');
    return printCopies({ json, remove });
  }
  const found = foundSessions();
  const all = fittingSessions(found, options);
  const origins = new Origins(found);
  const ids = shortIds(found.map(({ path: file }) => file));
  const { out, notes } = terminal();
  if (isIdsOnly) {
    const now = Date.now();
    const lines = all.slice(0, limit ?? ID_ROWS).map((one) => {
      const session = listed(one);
      const words = [session.agent, ageOf(session.changedAt, now), projectOf(session), one.told?.title];
      return `${ids.get(one.path)}\t${printable(words.filter(Boolean).join(', '))}\n`;
    });
    return out.print(lines.join(''));
  }
  if (json) {
    const chosen = all.slice(0, limit).map(listed);
    const messages = messagesOf(chosen);
    if (exact) await countExactly([...chosen], (index, session) => chosen.splice(index, 1, session));
    const costs = cost && { costs: await costsOf(chosen) };
    return printJson(...chosen.map((session) => record(session, { ids, origins, messages, ...costs })));
  }
  if (all.length === 0) return out.print(`${noSession(found.length, options)}\n`);
  const most = limit ?? ROWS;
  const fitting = out.isLive ? Math.max(1, Math.min(most, (out.stream.rows || ROWS) - FREE_LINES)) : most;
  const rows = all.slice(0, fitting).map(listed);
  const costs = cost && { costs: await costsOf(rows) };
  const messages = new Map([...messagesOf(rows)].map(([file, message]) => [file, printable(message)]));
  const shown = { screen: out, now: Date.now(), isCounted: exact ?? out.isLive, ids, origins, messages, ...costs };
  if (out.isLive) await drawLive(rows, shown);
  else {
    if (exact) await countExactly([...rows], (index, session) => rows.splice(index, 1, session));
    await out.print(`${sessionsTable(rows, shown).join('\n')}\n`);
  }
  const newest = rows.find(({ problem, path: file }) => problem === undefined && !isRemovableCopy(file));
  const next = newest && ids.get(newest.path);
  const more = all.length - rows.length;
  if (more > 0) await notes.print(notes.colors.dim(`and ${counted(more, 'older one')}; --limit shows more\n`));
  if (rows.some(({ figures, tokens }) => figures === undefined && tokens !== undefined))
    await notes.print(
      notes.colors.dim(
        '≈ estimated from both ends of the file: within 15% for nine of ten recorded sessions, less sure for small ones; – where the file does not tell. --exact reads the whole file, and says what is removable\n',
      ),
    );
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
      'Lists the sessions in the folders of all known agents, newest first. ≈ means that the tokens are estimated from both ends of a file; on a terminal, threads then read the whole file and the table shows exact figures. Writes nothing to these folders; --remove deletes only copies that density wrote and that did not change since.',
    )
    .option('--limit <number>', 'sessions to list (default: 20, all with --json)', parseLimit)
    .option('--exact', 'read every listed session before printing')
    .option(
      '--cost',
      'say what each session cost, from its recorded usage, as `density bill` does; reads every listed session',
    )
    .option('--copies', 'list the smaller copies that density wrote and that no agent has continued')
    .option('--remove', 'remove these copies, and list what was removed')
    .option('--ids', 'print only ids, each with a tab and a description: completion asks for them')
    .option('--json', 'one JSON object per line')
    .action(sessions);
  sessionFilterOptions(command).option(
    '--message <words>',
    'only sessions whose first message has these words near its start',
  );
}
