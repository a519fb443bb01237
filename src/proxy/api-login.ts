import { headerPairs } from './answer/error-text.ts';

/** What pays for a request of the Messages API: a key of the API, a plan, or what is not known here. */
export type ApiLogin = 'key' | 'plan' | 'other';

const BEARER = /^bearer\s+/i;

/** The credentials in raw headers, without their scheme. */
export const credentialsIn = (headers: readonly string[]): string[] =>
  headerPairs(headers).flatMap(([name, value]) => {
    const lower = name.toLowerCase();
    return lower === 'x-api-key' || lower === 'authorization' ? value.replace(BEARER, '') : [];
  });

/**
 * Who pays, by raw headers. The SDKs send a key in `x-api-key`, and as a bearer since 1.0; tokens of plans and of other logins are bearers
 * too. Source: @anthropic-ai/sdk 1.12.0, client.d.ts; https://platform.claude.com/docs/en/api/overview
 */
export function apiLogin(headers: readonly string[]): ApiLogin {
  const credentials = credentialsIn(headers);
  const isOauth = headerPairs(headers).some(
    ([name, value]) => name.toLowerCase() === 'anthropic-beta' && value.includes('oauth-'),
  );
  if (isOauth || credentials.some((one) => one.startsWith('sk-ant-oat'))) return 'plan';
  const [credential = '', another] = credentials;
  if (another !== undefined || credential === '') return 'other';
  const isBearer = headerPairs(headers).some(([name]) => name.toLowerCase() === 'authorization');
  return !isBearer || credential.startsWith('sk-ant-api') ? 'key' : 'other';
}
