import { counted } from '../../content/counted.ts';
import type { RedisLink } from './redis-link.ts';
import { hashOf, readTokens, type TeamUser, tokenState } from './team-tokens.ts';

/** A revoked token is refused after this time at the latest. */
const REFRESH_MS = 2_000;

/** Whose secret it is, and what it opens. */
export interface KnownSecret extends TeamUser {
  readonly opens: 'proxy' | 'page';
}

/** All tokens in memory, so that no request waits for them, and none is refused because the server is gone, or came back empty. */
export class KnownTokens {
  readonly #link: RedisLink;
  readonly #onTrouble: (what: string) => void;
  #secrets: ReadonlyMap<string, KnownSecret> = new Map();
  /** At which state of the server they were read. */
  #state: string | undefined;
  #timer: NodeJS.Timeout | undefined;

  private constructor(link: RedisLink, onTrouble: (what: string) => void) {
    this.#link = link;
    this.#onTrouble = onTrouble;
  }

  /** @throws if they cannot be read. */
  static async open(link: RedisLink, onTrouble: (what: string) => void): Promise<KnownTokens> {
    const known = new KnownTokens(link, onTrouble);
    await known.refresh();
    // The link says that the server did not answer.
    known.#timer = setInterval(() => void known.refresh().catch(() => {}), REFRESH_MS);
    return known;
  }

  userOf(secret: string): KnownSecret | undefined {
    return this.#secrets.get(hashOf(secret));
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** Reads them again if any was made or revoked. @throws if the server does not answer in time. */
  async refresh(): Promise<void> {
    const { connection } = this.#link;
    const { changes, count } = await this.#link.run(tokenState);
    const state = JSON.stringify([connection, changes, count]);
    if (state === this.#state) return;
    if (changes === null && count === 0 && this.#secrets.size > 0) {
      this.#onTrouble(
        'the Redis server has lost its tokens. Those known here are accepted until the first one is made again: density token add <user>',
      );
      return;
    }
    const secrets = new Map<string, KnownSecret>();
    let damaged = 0;
    for (const [hash, kept] of await this.#link.run(readTokens)) {
      if (!kept) damaged++;
      else {
        const { user, limit, page } = kept;
        secrets.set(hash, { user, limit, opens: 'proxy' }).set(page, { user, limit, opens: 'page' });
      }
    }
    if (damaged > 0)
      this.#onTrouble(
        `${damaged} of ${counted(count, 'record')} of tokens cannot be read: those tokens are refused. \`density token list\` shows their ids; revoke them and make new ones`,
      );
    this.#secrets = secrets;
    this.#state = state;
  }
}
