import { isRecord } from '../../content/foreign-value.ts';
import { addTo } from '../../content/group-by.ts';
import { CompressionStrategyError, messageOf } from '../../errors.ts';
import { exportedMessages, type StoredMessage } from './exported-messages.ts';
import { type Ask, hasFirstVersion, hasSecondVersion, type Row } from './open-database.ts';

type Json = Record<string, unknown>;

/** @throws CompressionStrategyError `SESSION_UNREADABLE` naming the row. */
function parsed(row: Row, column: string): unknown {
  const text = row[column];
  if (typeof text !== 'string') return undefined;
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new CompressionStrategyError(
      `Expected JSON in the column ${column} of ${String(row['id'])}, but ${messageOf(cause).slice(0, 120)}.`,
      'SESSION_UNREADABLE',
      { cause },
    );
  }
}

/** Leaves absent fields out. A column can be null, or missing in the schema of an older version. */
const present = (fields: Json): Json =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));

function summaryOf(row: Row): Json | undefined {
  const { summary_additions: additions, summary_deletions: deletions, summary_files: files } = row;
  const summary = present({ additions, deletions, files, diffs: parsed(row, 'summary_diffs') });
  return Object.keys(summary).length === 0 ? undefined : summary;
}

function tokensOf(row: Row): Json | undefined {
  if (typeof row['tokens_input'] !== 'number') return undefined;
  return {
    input: row['tokens_input'],
    output: row['tokens_output'],
    reasoning: row['tokens_reasoning'],
    cache: { read: row['tokens_cache_read'], write: row['tokens_cache_write'] },
  };
}

/** The columns of a session under the names and in the order of an export. */
const infoOf = (row: Row): Json =>
  present({
    id: row['id'],
    slug: row['slug'],
    projectID: row['project_id'],
    workspaceID: row['workspace_id'],
    directory: row['directory'],
    path: row['path'],
    parentID: row['parent_id'],
    title: row['title'],
    agent: row['agent'],
    model: parsed(row, 'model'),
    version: row['version'],
    summary: summaryOf(row),
    cost: row['cost'],
    tokens: tokensOf(row),
    share: typeof row['share_url'] === 'string' ? { url: row['share_url'] } : undefined,
    metadata: parsed(row, 'metadata'),
    revert: parsed(row, 'revert'),
    permission: parsed(row, 'permission'),
    time: present({
      created: row['time_created'],
      updated: row['time_updated'],
      compacting: row['time_compacting'],
      archived: row['time_archived'],
    }),
  });

/**
 * The document that `opencode export` would write for a session; `undefined` if there is no such session. Messages are
 * ordered by time, parts by id.
 * Source: anomalyco/opencode 1.18.33, compared byte for byte
 */
export function exportDocument(ask: Ask, id: string): Uint8Array | undefined {
  return (
    (hasSecondVersion(ask) && laterDocument(ask, id)) || (hasFirstVersion(ask) ? firstDocument(ask, id) : undefined)
  );
}

/** The session in the tables of opencode 2; undefined where it has no messages there, as before the first one of version 2. */
function laterDocument(ask: Ask, id: string): Uint8Array | undefined {
  const [session] = ask('select * from session_v2 where id = ?', [id]);
  const rows = ask('select id, type, data from session_message where session_id = ? order by seq', [id]);
  if (session === undefined || rows.length === 0) return undefined;
  const stored = rows.map((row): StoredMessage => {
    const data = parsed(row, 'data');
    return { id: String(row['id']), type: String(row['type']), data: isRecord(data) ? data : {} };
  });
  return documentOf(infoOf(session), exportedMessages(stored, id));
}

const documentOf = (info: Json, messages: readonly unknown[]): Uint8Array =>
  Buffer.from(`${JSON.stringify({ info, messages }, null, 2)}\n`);

function firstDocument(ask: Ask, id: string): Uint8Array | undefined {
  const [session] = ask('select * from session where id = ?', [id]);
  if (session === undefined) return undefined;
  const partsOf = new Map<unknown, Json[]>();
  for (const row of ask('select id, message_id, data from part where session_id = ? order by id', [id])) {
    const messageID = row['message_id'];
    addTo(partsOf, messageID, { ...(parsed(row, 'data') as Json), id: row['id'], sessionID: id, messageID });
  }
  const messages = ask('select id, data from message where session_id = ? order by time_created, id', [id]).map(
    (row) => ({
      info: { ...(parsed(row, 'data') as Json), id: row['id'], sessionID: id },
      parts: partsOf.get(row['id']) ?? [],
    }),
  );
  return documentOf(infoOf(session), messages);
}
