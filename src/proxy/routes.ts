import type { IncomingMessage } from 'node:http';
import { apiOfPath } from '../formats/api-path.ts';
import type { LiveApi } from '../live/contract.ts';
import type { Mount } from './contract.ts';

export interface Route {
  readonly target: URL;
  /** Absent: the request goes through as it is, and its body is not looked at. */
  readonly api?: LiveApi;
  readonly isCount: boolean;
  readonly model?: string;
  readonly isSummary?: boolean;
  readonly isInner?: boolean;
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
