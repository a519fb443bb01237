import { createHash, randomBytes } from 'node:crypto';
import type { Redis } from 'ioredis';
import { isRecord } from '../../content/foreign-value.ts';

const KEY = 'density:team:tokens';
/** Rises with every change, so that replicas see it soon without reading all. */
const CHANGES = 'density:team:tokens:changes';
const TOKEN_BYTES = 24;
/** Scanners for secrets find a token by it. */
const PREFIX = 'density_';
const ID_CHARACTERS = 8;
/** A revoked token is refused after this time at the latest. */
const REFRESH_MS = 2_000;
const USER = /^[\w.@-]{1,64}$/;

/** How many requests a user may send, over all replicas. */
export interface UserLimit {
  readonly perMinute: number;
  /** Answers that run at the same time. */
  readonly atOnce: number;
}

export interface TeamUser {
  readonly user: string;
  readonly limit: UserLimit;
}

/** A token as it is kept: without itself. */
export interface ListedToken extends TeamUser {
  /** The start of its hash, which names it. */
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly madeAt: number;
}

interface KeptToken extends Omit<ListedToken, 'id'> {
  /** The hash of the secret of the user's page. */
  readonly page: string;
}

/** True for names that may be a part of keys. */
export const isUser = (text: string): boolean => USER.test(text);

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** The secret of a user's page opens nothing else; nobody finds the token by it. */
export const pageSecret = (token: string): string =>
  createHash('sha256').update(`page of ${token}`).digest('base64url').slice(0, 32);

/** Makes a token. It is returned once, and only its hash is kept: 192 random bits need no slow one. */
export async function addToken(redis: Redis, user: string, limit: UserLimit): Promise<string> {
  const token = PREFIX + randomBytes(TOKEN_BYTES).toString('base64url');
  const kept: KeptToken = { user, limit, madeAt: Date.now(), page: hashOf(pageSecret(token)) };
  await redis.multi().hset(KEY, hashOf(token), JSON.stringify(kept)).incr(CHANGES).exec();
  return token;
}

/** All tokens, the oldest first. */
export async function listTokens(redis: Redis): Promise<ListedToken[]> {
  return [...(await readTokens(redis))]
    .map(([hash, { user, limit, madeAt }]) => ({ id: hash.slice(0, ID_CHARACTERS), user, limit, madeAt }))
    .sort((one, other) => one.madeAt - other.madeAt);
}

/** Revokes the token with this id, or all of a user; returns those. */
export async function revokeTokens(redis: Redis, named: string): Promise<ListedToken[]> {
  const found = (await listTokens(redis)).filter(({ id, user }) => id === named || user === named);
  const hashes = [...(await readTokens(redis)).keys()];
  const revoked = hashes.filter((hash) => found.some(({ id }) => hash.startsWith(id)));
  if (revoked.length > 0)
    await redis
      .multi()
      .hdel(KEY, ...revoked)
      .incr(CHANGES)
      .exec();
  return found;
}

async function readTokens(redis: Redis): Promise<Map<string, KeptToken>> {
  const fields = Object.entries(await redis.hgetall(KEY));
  return new Map(
    fields.flatMap(([hash, text]) => {
      const kept: unknown = JSON.parse(text);
      return isKept(kept) ? [[hash, kept] as const] : [];
    }),
  );
}

const isKept = (value: unknown): value is KeptToken =>
  isRecord(value) && typeof value['user'] === 'string' && typeof value['page'] === 'string' && isRecord(value['limit']);

/** Whose secret it is, and what it opens. */
export interface KnownSecret extends TeamUser {
  readonly opens: 'proxy' | 'page';
}

/** Asks the server, in time. */
type Ask = <Answer>(ask: (redis: Redis) => Promise<Answer>) => Promise<Answer>;

/** All tokens in memory, so that no request waits for them, and none is refused while the server is gone. */
export class KnownTokens {
  readonly #ask: Ask;
  #secrets: ReadonlyMap<string, KnownSecret> = new Map();
  #changes: string | null | undefined;
  #timer: NodeJS.Timeout | undefined;

  private constructor(ask: Ask) {
    this.#ask = ask;
  }

  /** @throws if they cannot be read. */
  static async open(ask: Ask): Promise<KnownTokens> {
    const known = new KnownTokens(ask);
    await known.#refresh();
    known.#timer = setInterval(() => void known.#refresh().catch(() => {}), REFRESH_MS);
    return known;
  }

  userOf(secret: string): KnownSecret | undefined {
    return this.#secrets.get(hashOf(secret));
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #refresh(): Promise<void> {
    const changes = await this.#ask((redis) => redis.get(CHANGES));
    if (changes === this.#changes) return;
    const tokens = await this.#ask(readTokens);
    this.#secrets = new Map(
      [...tokens].flatMap(([hash, { user, limit, page }]): [string, KnownSecret][] => [
        [hash, { user, limit, opens: 'proxy' }],
        [page, { user, limit, opens: 'page' }],
      ]),
    );
    this.#changes = changes;
  }
}
