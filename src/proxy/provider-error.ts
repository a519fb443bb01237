import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { LiveApi } from '../live/contract.ts';

/** Why a request is not sent on. */
export interface TurnedAway {
  readonly kind: 'unauthorized' | 'limited' | 'unknown' | 'busy';
  readonly message: string;
  readonly retryAfterSeconds?: number;
}

interface Words {
  readonly status: number;
  readonly anthropic: string;
  readonly openai: { readonly type: string; readonly code: string };
  readonly google: string;
}

/**
 * The words of each vendor.
 * Source: https://platform.claude.com/docs/en/api/errors, https://platform.openai.com/docs/guides/error-codes,
 * https://cloud.google.com/apis/design/errors
 */
const WORDS: Readonly<Record<TurnedAway['kind'], Words>> = {
  unauthorized: {
    status: 401,
    anthropic: 'authentication_error',
    openai: { type: 'invalid_request_error', code: 'invalid_api_key' },
    google: 'UNAUTHENTICATED',
  },
  limited: {
    status: 429,
    anthropic: 'rate_limit_error',
    openai: { type: 'requests', code: 'rate_limit_exceeded' },
    google: 'RESOURCE_EXHAUSTED',
  },
  busy: {
    status: 503,
    anthropic: 'overloaded_error',
    openai: { type: 'server_error', code: 'server_overloaded' },
    google: 'UNAVAILABLE',
  },
  unknown: {
    status: 404,
    anthropic: 'not_found_error',
    openai: { type: 'invalid_request_error', code: 'unknown_url' },
    google: 'NOT_FOUND',
  },
};

/** The body as the provider of an API would write it. */
function bodyOf(api: LiveApi | undefined, { status, anthropic, openai, google }: Words, message: string): object {
  switch (api) {
    case 'openai-chat':
    case 'openai-responses':
      return { error: { message, type: openai.type, param: null, code: openai.code } };
    case 'gemini-api':
      return { error: { code: status, message, status: google } };
    default:
      return { type: 'error', error: { type: anthropic, message } };
  }
}

/** Answers as the provider of an API would, so that its agent shows the message. */
export function sendProviderError(
  response: ServerResponse,
  { api, kind, message, retryAfterSeconds }: TurnedAway & { readonly api: LiveApi | undefined },
  headers: OutgoingHttpHeaders = {},
): void {
  const words = WORDS[kind];
  const wait = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
  response.writeHead(words.status, { 'content-type': 'application/json', ...headers, ...wait });
  response.end(JSON.stringify(bodyOf(api, words, `density: ${message}`)));
}
