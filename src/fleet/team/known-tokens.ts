import { counted } from '../../content/counted.ts';
import { every } from '../every.ts';
import type { RedisLink } from './redis-link.ts';
import { hashOf, readTokens, type TeamUser, tokenState } from './team-tokens.ts';

/** A revoked token is refused after this time at the latest. */
const REFRESH_MS = 2_000;

/** Whose secret it is, and what it opens. */
export interface KnownSecret extends TeamUser {
  readonly opens: 'proxy' | 'page';
}

/** All tokens in memory, so that no request waits for them, and none is refused because the server is gone, or came back empty. */
export interface KnownTokens {
  userOf(secret: string): KnownSecret | undefined;
  /** Reads them again if any was made or revoked. @throws if the server does not answer in time. */
  refresh(): Promise<void>;
  close(): void;
}

/** @throws if they cannot be read. */
export async function knownTokens(link: RedisLink, onTrouble: (what: string) => void): Promise<KnownTokens> {
  let secrets: ReadonlyMap<string, KnownSecret> = new Map();
  /** At which state of the server they were read. */
  let readAt: string | undefined;
  const refresh = async (): Promise<void> => {
    const { connection } = link;
    const { changes, count } = await link.run(tokenState);
    const state = JSON.stringify([connection, changes, count]);
    if (state === readAt) return;
    if (changes === null && count === 0 && secrets.size > 0) {
      onTrouble(
        'the Redis server has lost its tokens. Those known here are accepted until the first one is made again: density team token add <user>',
      );
      return;
    }
    const found = new Map<string, KnownSecret>();
    let damaged = 0;
    for (const [hash, kept] of await link.run(readTokens)) {
      if (!kept) damaged++;
      else {
        const { user, limit, page } = kept;
        found.set(hash, { user, limit, opens: 'proxy' }).set(page, { user, limit, opens: 'page' });
      }
    }
    if (damaged > 0)
      onTrouble(
        `${damaged} of ${counted(count, 'record')} of tokens cannot be read: those tokens are refused. \`density team token list\` shows their ids; revoke them and make new ones`,
      );
    secrets = found;
    readAt = state;
  };
  await refresh();
  // The link says that the server did not answer.
  return { userOf: (secret) => secrets.get(hashOf(secret)), refresh, close: every(REFRESH_MS, refresh) };
}
