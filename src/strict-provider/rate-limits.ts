import { MINUTE_MS } from '../durations.ts';
import type { ApiName } from '../formats/api-path.ts';
import type { Refused } from './contract.ts';

/** How busy the vendor is when a request arrives. */
export interface Load {
  /** Refuses the request: over a limit, or no capacity. */
  readonly status?: 429 | 529;
  /** The share of each limit that is left; 1 for those that are not named. */
  readonly left?: Partial<Readonly<Record<keyof typeof LIMITS, number>>>;
  readonly retryAfterSeconds?: number;
}

/** By the names that their headers have, what a minute allows. */
const LIMITS = { requests: 1000, tokens: 2_400_000, 'input-tokens': 2_000_000, 'output-tokens': 400_000 };

/** Source: https://platform.claude.com/docs/en/api/rate-limits#response-headers */
export function limitHeaders({ left, retryAfterSeconds }: Load, nowMs: number): Readonly<Record<string, string>> {
  const reset = `${new Date(nowMs + MINUTE_MS).toISOString().slice(0, -5)}Z`;
  const limits = Object.entries(LIMITS).flatMap(([name, limit]) => {
    const remaining = Math.floor(limit * (left?.[name as keyof typeof LIMITS] ?? 1));
    const fields = { limit, remaining, reset };
    return Object.entries(fields).map(([field, value]) => [`anthropic-ratelimit-${name}-${field}`, String(value)]);
  });
  return {
    ...(left && Object.fromEntries(limits)),
    ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
  };
}

/** Source: https://platform.claude.com/docs/en/api/errors; the words as reported in https://github.com/cline/cline/issues/1284 */
const ERRORS = {
  429: {
    type: 'rate_limit_error',
    message:
      "This request would exceed your organization's rate limit of 2,000,000 input tokens per minute. For details, refer to: https://docs.claude.com/en/api/rate-limits. You can see the response headers for current usage. Please reduce the prompt length or the maximum tokens requested, or try again later.",
  },
  529: { type: 'overloaded_error', message: 'Overloaded' },
};

/** The answer to a request that a busy vendor refuses. */
export function refusedByLoad(status: 429 | 529, api: ApiName): Refused {
  const error = ERRORS[status];
  return { status, body: { ...(api === 'anthropic-messages' && { type: 'error' }), error }, message: error.message };
}
