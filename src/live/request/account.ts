import { isRecord } from '../../content/foreign-value.ts';
import type { LiveRequest } from '../contract.ts';
import { firstHeader } from './first-header.ts';

const KEY_HEADERS = ['x-api-key', 'x-goog-api-key'];
/** A JSON Web Token as a bearer: its middle part has the claims. Source: RFC 7519, section 3; RFC 6750, section 2.1. */
const BEARER = /^bearer\s+[\w-]+\.([\w-]+)\.[\w-]+$/i;

/**
 * The account that a credential names: an API key its own; a JSON Web Token whose it is for its issuer (`iss`, `sub`; RFC 7519,
 * section 4.1), with the workspace in which Codex uses it. A token that is refreshed names the same account. `undefined` for
 * tokens that say nothing. The provider checks the credential, not we.
 */
export function accountOf(headers: LiveRequest['headers']): string | undefined {
  const key = firstHeader(headers, KEY_HEADERS);
  if (key !== undefined) return key;
  const claims = BEARER.exec(firstHeader(headers, ['authorization']) ?? '')?.[1];
  if (claims === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8'));
    if (!isRecord(value) || typeof value['sub'] !== 'string') return undefined;
    return JSON.stringify([value['iss'], value['sub'], firstHeader(headers, ['chatgpt-account-id'])]);
  } catch {
    // It only looks like one.
    return undefined;
  }
}
