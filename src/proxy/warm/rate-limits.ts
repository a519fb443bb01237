import { headerPairs } from '../answer/error-text.ts';

const LIMIT = /^anthropic-ratelimit-(.+)-limit$/i;
/** With less of a limit left, the agent needs it more. */
const LEAST_SHARE = 0.2;

/** True if an answer says that less than a fifth of a rate limit is left. Source: https://platform.claude.com/docs/en/api/rate-limits#response-headers */
export function isLimitNear(headers: readonly string[]): boolean {
  const values = new Map(headerPairs(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return [...values].some(([name, limit]) => {
    const [, what] = LIMIT.exec(name) ?? [];
    const remaining = what === undefined ? undefined : values.get(`anthropic-ratelimit-${what}-remaining`);
    return remaining !== undefined && Number(remaining) < LEAST_SHARE * Number(limit);
  });
}
