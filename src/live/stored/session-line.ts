import { createHash } from 'node:crypto';
import { jsonFields } from '../../content/foreign-value.ts';

/** How a store names the session of an agent. */
export const sessionHash = (id: string): string => createHash('sha256').update(id).digest('hex');

/** The first line of a conversation, where its requests name their session: recordings have the same name. */
export const sessionLine = (id: string): string => JSON.stringify({ session: sessionHash(id) });

/** The hash of the session that these lines are of; undefined where its requests named none, and for those of earlier versions. */
export function sessionOf(lines: readonly string[]): string | undefined {
  const line = lines.find((one) => one.startsWith('{"session":'));
  const session = line === undefined ? undefined : jsonFields(line)?.['session'];
  return typeof session === 'string' ? session : undefined;
}
