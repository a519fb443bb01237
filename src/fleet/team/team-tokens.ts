import { createHash, randomBytes } from 'node:crypto';
import type { Redis } from 'ioredis';
import { isRecord, readOr } from '../../content/foreign-value.ts';

const KEY = 'density:team:tokens';
/** Rises with every change, so that replicas see it soon without reading all. */
const CHANGES = 'density:team:tokens:changes';
const TOKEN_BYTES = 24;
/** Scanners for secrets find a token by it. */
const PREFIX = 'density_';
const ID_CHARACTERS = 8;
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

/** A record of a token that cannot be read, so the token is refused. */
export interface DamagedToken {
  readonly id: string;
  readonly isDamaged: true;
}

export interface KeptToken extends Omit<ListedToken, 'id'> {
  /** The hash of the secret of the user's page. */
  readonly page: string;
}

/** True for names that may be a part of keys. */
export const isUser = (text: string): boolean => USER.test(text);

export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** The secret of a user's page gives access to nothing else, and the token cannot be found from it. */
export const pageSecret = (token: string): string =>
  createHash('sha256').update(`page of ${token}`).digest('base64url').slice(0, 32);

/** Makes a token. It is returned once, and only its hash is kept: 192 random bits need no slow one. */
export async function addToken(redis: Redis, user: string, limit: UserLimit): Promise<string> {
  const token = PREFIX + randomBytes(TOKEN_BYTES).toString('base64url');
  const kept: KeptToken = { user, limit, madeAt: Date.now(), page: hashOf(pageSecret(token)) };
  await redis.multi().hset(KEY, hashOf(token), JSON.stringify(kept)).incr(CHANGES).exec();
  return token;
}

/** All tokens, the oldest first, then what cannot be read. */
export async function listTokens(redis: Redis): Promise<(ListedToken | DamagedToken)[]> {
  const listed: ListedToken[] = [];
  const damaged: DamagedToken[] = [];
  for (const [hash, kept] of await readTokens(redis)) {
    const id = hash.slice(0, ID_CHARACTERS);
    if (kept) listed.push({ id, user: kept.user, limit: kept.limit, madeAt: kept.madeAt });
    else damaged.push({ id, isDamaged: true });
  }
  return [...listed.sort((one, other) => one.madeAt - other.madeAt), ...damaged];
}

/** Revokes the token with this id, also one whose record cannot be read, or all of a user; returns those. */
export async function revokeTokens(redis: Redis, named: string): Promise<(ListedToken | DamagedToken)[]> {
  const found = (await listTokens(redis)).filter((one) => one.id === named || ('user' in one && one.user === named));
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

/** The tokens by their hash; undefined for a damaged record. */
export async function readTokens(redis: Redis): Promise<Map<string, KeptToken | undefined>> {
  const fields = Object.entries(await redis.hgetall(KEY));
  return new Map(fields.map(([hash, text]) => [hash, keptToken(text)]));
}

function keptToken(text: string): KeptToken | undefined {
  const kept: unknown = readOr(() => JSON.parse(text), undefined);
  return isKept(kept) ? kept : undefined;
}

const isKept = (value: unknown): value is KeptToken =>
  isRecord(value) &&
  typeof value['user'] === 'string' &&
  typeof value['page'] === 'string' &&
  isRecord(value['limit']) &&
  ['perMinute', 'atOnce'].every((name) => typeof (value['limit'] as Record<string, unknown>)[name] === 'number');

/** What tells whether tokens were made or revoked since: `changes` is null on a server that has never had one. */
export async function tokenState(redis: Redis): Promise<{ readonly changes: string | null; readonly count: number }> {
  const [changes, count] = await Promise.all([redis.get(CHANGES), redis.hlen(KEY)]);
  return { changes, count };
}
