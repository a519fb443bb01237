import type { IncomingMessage } from 'node:http';
import { counted } from '../../content/counted.ts';
import type { ProxyRequestOptions } from '../../proxy/contract.ts';
import type { Door, Visitor } from '../../proxy/door.ts';
import type { TurnedAway } from '../../proxy/provider-error.ts';
import { hasParentSegment } from '../../proxy/refusal.ts';
import type { Operation } from '../../telemetry/operation.ts';
import type { KnownTokens } from './known-tokens.ts';
import type { TeamPages } from './team-pages.ts';
import type { TeamUser } from './team-tokens.ts';
import type { UserLimits } from './user-limits.ts';

/** Agents that can send headers send their token in this one: what stands between does not log it. */
const TOKEN_HEADER = 'x-density-token';
const LOOPBACK = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/;

export interface TeamDoorOptions {
  readonly tokens: KnownTokens;
  readonly limits: UserLimits;
  readonly pages: TeamPages;
  /** Values of `Host` that are answered, beside those of this computer. */
  readonly hosts: readonly string[];
  /** What is done to the requests of a user. */
  readonly optionsOf: (user: string) => ProxyRequestOptions;
  /** Answers operators. */
  readonly operation: Operation;
}

const away = (kind: TurnedAway['kind'], message: string): TurnedAway => ({ kind, message });

/** Lets the members of a team in, by their token in a header or as the first part of the path. */
export function teamDoor(options: TeamDoorOptions): Door {
  const { tokens, limits, pages, hosts, optionsOf, operation } = options;
  const isHost = (host = ''): boolean => LOOPBACK.test(host) || hosts.includes(host.replace(/:\d+$/, '').toLowerCase());
  return async (request, response): Promise<Visitor | TurnedAway | undefined> => {
    const { url = '', headers } = request;
    const [pathname = ''] = url.split('?');
    if (operation.answers(pathname, response)) return undefined;
    if (!url.startsWith('/') || hasParentSegment(pathname)) return away('unknown', 'Refused this path.');
    if (!isHost(headers.host)) return away('unknown', 'Refused this Host header.');
    if (headers.origin !== undefined) return away('unknown', 'Refused a request of a web page.');
    const header = takenHeader(request, TOKEN_HEADER);
    const [, first = ''] = pathname.split('/');
    const known = tokens.userOf(header ?? first);
    const path = header === undefined ? url.slice(first.length + 1) || '/' : url;
    if (known === undefined)
      return away(
        'unauthorized',
        'Expected your token as the first part of the path of the base URL, or in x-density-token.',
      );
    const { user, opens } = known;
    if (opens === 'page') return void (await pages.handle(user, [request, response], path));
    return visitor(known, path);
  };

  async function visitor(known: TeamUser, path: string): Promise<Visitor | TurnedAway> {
    const { user, limit } = known;
    const retryAfterSeconds = await limits.enter(known);
    if (retryAfterSeconds !== undefined) {
      const message = `${user} may send ${counted(limit.perMinute, 'request')} a minute, ${limit.atOnce} at once. Try again in ${retryAfterSeconds} s.`;
      return { ...away('limited', message), retryAfterSeconds };
    }
    return { path, options: optionsOf(user), left: () => limits.left(user) };
  }
}

/** The value of a header that is for us alone: it is not sent on. */
function takenHeader(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  if (value === undefined) return undefined;
  for (let at = request.rawHeaders.length - 2; at >= 0; at -= 2)
    if (request.rawHeaders[at]!.toLowerCase() === name) request.rawHeaders.splice(at, 2);
  delete request.headers[name];
  return typeof value === 'string' ? value : value[0];
}
