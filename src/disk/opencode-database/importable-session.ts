import { createHash } from 'node:crypto';
import { isRecord } from '../../content/foreign-value.ts';

/** Fields that name the session, its messages or its parts. */
const NAMING = new Set(['id', 'sessionID', 'messageID', 'partID', 'parentID']);
/** An id begins with its kind and time, by which ids sort. Source: ids of 1.18.33 */
const SORTED_CHARACTERS = 16;
const TAIL_CHARACTERS = 14;

const tailOf = (id: string, seed: string): string =>
  createHash('sha256').update(`${seed}/${id}`).digest('hex').slice(0, TAIL_CHARACTERS);

/**
 * An export as a new session: with other ids, which sort as before, and another title. `opencode import` ignores messages
 * and parts whose ids it already has (tried with 1.18.33), so the old ids would change nothing.
 */
export function importableSession(document: Uint8Array, seed: string): Uint8Array {
  const { info, messages } = JSON.parse(Buffer.from(document).toString('utf8')) as {
    info: Record<string, unknown>;
    messages: { info: unknown; parts: unknown[] }[];
  };
  const ids = [info, ...messages.flatMap((message) => [message.info, ...message.parts])].map((one) =>
    isRecord(one) ? one['id'] : undefined,
  );
  const renamed = new Map(
    ids.flatMap((id) =>
      typeof id === 'string' ? [[id, id.slice(0, SORTED_CHARACTERS) + tailOf(id, seed)] as const] : [],
    ),
  );
  const rename = (key: string, value: unknown): unknown =>
    NAMING.has(key) && typeof value === 'string' ? (renamed.get(value) ?? value) : value;
  const title = `${String(info['title'] ?? info['id'])} (smaller)`;
  return Buffer.from(`${JSON.stringify({ info: { ...info, title }, messages }, rename, 2)}\n`);
}
