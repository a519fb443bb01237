import { existsSync } from 'node:fs';
import { isRecord, readOr } from '../../content/foreign-value.ts';
import { CompressionStrategyError } from '../../errors.ts';
import { filePart } from '../file-part.ts';
import { exportDocument } from './export-document.ts';
import { type Ask, hasFirstVersion, hasSecondVersion, openDatabase } from './open-database.ts';

/** A session in a database: `opencode.db#ses_…`. */
const ADDRESS = /^(.+)#(ses_\w+)$/s;
const DATABASE = /\.db$/;
/** The first bytes of every SQLite database. Source: sqlite.org/fileformat2.html */
const MAGIC = 'SQLite format 3\0';
const MAX_NAMED = 5;

/** A session of a database, with the sessions of its sub-agents. */
interface DatabaseSession {
  readonly id: string;
  readonly title: string;
  readonly directory: string;
  readonly changedAt: number;
  /** The stored size of its own messages and parts. */
  readonly sizeBytes: number;
  /** The sessions of its sub-agents, and of theirs. */
  readonly subAgents: number;
  /** Includes theirs. */
  readonly totalBytes: number;
  /** The provider's count of its last call, prompt and answer; absent where none is recorded, and where that call wrote a summary. */
  readonly reportedTokens?: number;
}

/** Each session with its top session, which has no parent. A circle of parents has none. */
const listOf = ({ sessions, texts, answers }: Stored): string => `
with recursive owned as (${sessions}), tree(id, root) as (
  select id, id from owned where parent_id is null or parent_id not in (select id from owned)
  union all select owned.id, tree.root from owned join tree on owned.parent_id = tree.id
), sizes as (select session_id, sum(octet_length(data)) as bytes from (${texts}) group by session_id)
select root as id, title, directory, time_updated,
  coalesce((select bytes from sizes where session_id = root), 0) as bytes,
  count(*) - 1 as below, coalesce(sum(sizes.bytes), 0) as total,
  (select data from (${answers}) where session_id = root and json_valid(data) and json_extract(data, '$.tokens.output') > 0
    order by at desc, id desc limit 1) as last
from tree join owned on owned.id = tree.root left join sizes on sizes.session_id = tree.id
group by root order by time_updated desc, root desc`;

/** The queries of what a version of opencode stores. */
interface Stored {
  readonly sessions: string;
  readonly texts: string;
  readonly answers: string;
}

const COLUMNS = 'id, parent_id, title, directory, time_updated';

const FIRST: Stored = {
  sessions: `select ${COLUMNS} from session`,
  texts: 'select session_id, data from part union all select session_id, data from message',
  answers: 'select session_id, data, id, time_created as at from message',
};

const LATER: Stored = {
  sessions: `select ${COLUMNS} from session_v2 where id in (select session_id from session_message)`,
  texts: 'select session_id, data from session_message',
  answers: "select session_id, data, id, seq as at from session_message where type = 'assistant'",
};

/** A session that both versions have is that of the later one. */
function storedIn(ask: Ask): Stored {
  if (!hasSecondVersion(ask)) return FIRST;
  if (!hasFirstVersion(ask)) return LATER;
  const older = (query: string, id: string): string =>
    `select * from (${query}) where ${id} not in (select session_id from session_message)`;
  return {
    sessions: `${LATER.sessions} union all ${older(FIRST.sessions, 'id')}`,
    texts: `${LATER.texts} union all ${older(FIRST.texts, 'session_id')}`,
    answers: `${LATER.answers} union all ${older(FIRST.answers, 'session_id')}`,
  };
}

/** What the provider counted for an answer, from its stored data. */
function reportedIn(data: string): { readonly reportedTokens?: number } {
  const value: unknown = JSON.parse(data);
  const tokens = isRecord(value) && value['summary'] !== true ? value['tokens'] : undefined;
  if (!isRecord(tokens)) return {};
  const cache = isRecord(tokens['cache']) ? tokens['cache'] : {};
  const parts = [tokens['input'], tokens['output'], tokens['reasoning'], cache['read'], cache['write']];
  return { reportedTokens: parts.reduce((sum: number, part) => sum + (typeof part === 'number' ? part : 0), 0) };
}

const listWith = (ask: Ask): DatabaseSession[] =>
  ask(listOf(storedIn(ask))).map((row) => ({
    id: String(row['id']),
    title: String(row['title'] ?? ''),
    directory: String(row['directory']),
    changedAt: Number(row['time_updated']),
    sizeBytes: Number(row['bytes']),
    subAgents: Number(row['below']),
    totalBytes: Number(row['total']),
    ...(typeof row['last'] === 'string' && reportedIn(row['last'])),
  }));

/**
 * The sessions of an opencode database, newest change first; sub-agents belong to their parents.
 * @throws CompressionStrategyError `SESSION_UNREADABLE` naming the file.
 */
export const databaseSessions = (file: string): DatabaseSession[] => openDatabase(file, listWith);

/** The address of a session in a database, used in place of a path. */
export const addressOf = (file: string, id: string): string => `${file}#${id}`;

/** The database and the session that an address names; `undefined` for any other file. */
export function databaseAt(path: string): { readonly file: string; readonly id?: string } | undefined {
  const [, file = path, id] = ADDRESS.exec(path) ?? [];
  if (!DATABASE.test(file) || (id !== undefined && existsSync(path))) return undefined;
  if (id !== undefined) return { file, id };
  return readOr(() => filePart(file, 0, MAGIC.length).toString('latin1'), '') === MAGIC ? { file } : undefined;
}

function missing(file: string, id: string | undefined, sessions: readonly DatabaseSession[]): CompressionStrategyError {
  const named = sessions.slice(0, MAX_NAMED).map((one) => `${one.id} (${JSON.stringify(one.title)})`);
  const which = named.length === 0 ? 'It holds none.' : `The newest of ${sessions.length}: ${named.join(', ')}.`;
  return new CompressionStrategyError(
    `Expected a session${id === undefined ? '' : ` ${id}`} in ${file}, got none. ${which}`,
    'SESSION_UNREADABLE',
  );
}

/**
 * A session of a database as `opencode export` would write it, as it is now; the newest one without `id`.
 * @throws CompressionStrategyError `SESSION_UNREADABLE` naming the file and its sessions.
 */
export function databaseDocument(file: string, id?: string): { readonly path: string; readonly document: Uint8Array } {
  return openDatabase(file, (ask) => {
    const chosen = id ?? listWith(ask)[0]?.id;
    const document = chosen === undefined ? undefined : exportDocument(ask, chosen);
    if (chosen === undefined || document === undefined) throw missing(file, id, listWith(ask));
    return { path: addressOf(file, chosen), document };
  });
}
