import type { Command } from 'commander';
import type { Redis } from 'ioredis';
import { counted } from '../../../content/counted.ts';
import { openRedis } from '../../../fleet/redis.ts';
import {
  addToken,
  type DamagedToken,
  isUser,
  type ListedToken,
  listTokens,
  pageSecret,
  revokeTokens,
} from '../../../fleet/team/team-tokens.ts';
import { printable, printJson, terminal, UsageError } from '../../terminal/terminal.ts';

interface TokenOptions {
  readonly redis: string;
  readonly json?: boolean;
}

async function onRedis<Result>(url: string, work: (redis: Redis) => Promise<Result>): Promise<Result> {
  const redis = await openRedis(url);
  try {
    return await work(redis);
  } finally {
    redis.disconnect();
  }
}

function limitOf(text: string, option: string): number {
  const limit = Number(text);
  if (Number.isInteger(limit) && limit > 0) return limit;
  throw new UsageError(`Expected ${option} as a number from 1 on, got ${text}.`);
}

function lineOf(token: ListedToken | DamagedToken): string {
  if ('isDamaged' in token) return `${printable(token.id)}  a record that cannot be read, so its token is refused\n`;
  const { id, user, limit, madeAt } = token;
  return `${id}  ${printable(user)}  ${counted(limit.perMinute, 'request')} a minute, ${limit.atOnce} at once  since ${new Date(madeAt).toISOString().slice(0, 10)}\n`;
}

async function add(
  user: string,
  { redis, json = false, perMinute, atOnce }: TokenOptions & { perMinute: string; atOnce: string },
): Promise<void> {
  if (!isUser(user)) throw new UsageError('Expected the name of a user: 1 to 64 letters, digits or .@_-');
  const limit = { perMinute: limitOf(perMinute, '--per-minute'), atOnce: limitOf(atOnce, '--at-once') };
  const token = await onRedis(redis, (server) => addToken(server, user, limit));
  const page = pageSecret(token);
  if (json) return printJson({ user, token, page, ...limit });
  await terminal().out.print(
    `The token of ${user}, shown this once: ${token}\nIts page: https://<the proxy>/${page}/\n`,
  );
}

async function list({ redis, json = false }: TokenOptions): Promise<void> {
  const tokens = await onRedis(redis, listTokens);
  await terminal().out.print(tokens.map((one) => (json ? `${JSON.stringify(one)}\n` : lineOf(one))).join(''));
}

async function revoke(named: string, { redis, json = false }: TokenOptions): Promise<void> {
  const revoked = await onRedis(redis, (server) => revokeTokens(server, named));
  if (revoked.length === 0)
    throw new UsageError(
      `Expected the id of a token or a user with tokens, got ${named}. \`density team token list\` shows both.`,
    );
  await terminal().out.print(
    revoked.map((one) => (json ? `${JSON.stringify(one)}\n` : `Revoked ${lineOf(one)}`)).join(''),
  );
}

/** `density team token`: who may use the proxy of a team. */
export function defineToken(command: Command): void {
  command.description(
    'Makes, lists and revokes tokens. With a token, a user of a team can use the proxy of the team (`density proxy --team`). The server keeps only hashes of tokens. A revoked token is refused within two seconds.',
  );
  const part = (name: string, description: string): Command =>
    command
      .command(name)
      .description(description)
      .requiredOption('--redis <url>', 'the Redis server of the proxy')
      .option('--json', 'one JSON object per line');
  part('add', 'makes a token for a user and shows it, once')
    .argument('<user>', 'the name of the user')
    .option('--per-minute <number>', 'requests that the user may send in a minute', '300')
    .option('--at-once <number>', 'answers that may run at the same time', '50')
    .action(add);
  part('list', 'lists the users and ids of all tokens, but not the tokens').action(list);
  part('revoke', 'revokes a token, or all tokens of a user')
    .argument('<id or user>', 'as `density team token list` shows them')
    .action(revoke);
}
