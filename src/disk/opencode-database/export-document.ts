import { addTo } from '../../content/group-by.ts';
import { CompressionStrategyError, messageOf } from '../../errors.ts';
import type { Ask, Row } from './open-database.ts';

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
  return Buffer.from(`${JSON.stringify({ info: infoOf(session), messages }, null, 2)}\n`);
}
