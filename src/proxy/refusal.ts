import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

interface Refusal {
  readonly status: 400 | 403 | 404;
  readonly message: string;
}

const LOOPBACK_NAMES = ['127.0.0.1', 'localhost', '[::1]'];

const refused = (status: Refusal['status'], message: string): Refusal => ({ status, message });

function isSame(given: string, expected: string): boolean {
  const left = Buffer.from(given);
  const right = Buffer.from(expected);
  return left.length === right.length && timingSafeEqual(left, right);
}

/** True for `..` in a path, however it is written. */
export function hasParentSegment(pathname: string): boolean {
  try {
    return decodeURIComponent(pathname).split(/[/\\]/).includes('..');
  } catch {
    return true;
  }
}

/**
 * Why a request is not let through; otherwise its path without the token. Other users of this computer do not know the
 * token; pages in a browser send an `Origin`, or a `Host` that was pointed here.
 */
export function checkedPath(
  { url = '', headers }: Pick<IncomingMessage, 'url' | 'headers'>,
  { port, token }: { readonly port: number; readonly token: string },
): Refusal | { readonly path: string } {
  if (!url.startsWith('/')) return refused(400, 'Expected a path, got a whole address.');
  const host = headers.host ?? '';
  if (!LOOPBACK_NAMES.some((name) => host === `${name}:${port}`)) return refused(403, 'Refused this Host header.');
  if (headers.origin !== undefined) return refused(403, 'Refused a request of a web page.');
  const [pathname = ''] = url.split('?');
  if (hasParentSegment(pathname)) return refused(400, 'Refused `..` in the path.');
  const [, given = ''] = pathname.split('/');
  if (!isSame(given, token)) return refused(404, 'Nothing is here.');
  return { path: url.slice(given.length + 1) || '/' };
}
