import type { IncomingMessage } from 'node:http';
import { apiOfPath, type PathFacts } from '../formats/api-path.ts';
import type { Mount } from './contract.ts';

/** Without `api` the request goes through as it is, and its body is not looked at. */
export interface Route extends Omit<PathFacts, 'api'>, Partial<Pick<PathFacts, 'api'>> {
  readonly target: URL;
}

/** Where a request goes; undefined if no mount has its path. `path` is without the token and starts with `/`. */
export function routeOf(
  { method, headers }: Pick<IncomingMessage, 'method' | 'headers'>,
  path: string,
  mounts: readonly Mount[],
): Route | undefined {
  const [pathname = '', query] = path.split(/\?(.*)/s);
  const mount = mounts.find((one) => pathname === one.path || pathname.startsWith(`${one.path}/`));
  if (mount === undefined) return undefined;
  const isChatGpt = headers['chatgpt-account-id'] !== undefined;
  const base = (isChatGpt && mount.chatGptUpstream) || mount.upstream;
  const target = new URL(base);
  target.pathname = `${base.pathname.replace(/\/$/, '')}${pathname.slice(mount.path.length)}`;
  target.search = query === undefined ? '' : `?${query}`;
  return { target, isCount: false, ...(method === 'POST' && apiOfPath(pathname)) };
}
