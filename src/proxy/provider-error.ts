import type { LiveApi } from '../live/contract.ts';

/** Why a request is not sent on. */
export type RefusalKind = 'unauthorized' | 'limited' | 'unknown' | 'busy';

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
const WORDS: Readonly<Record<RefusalKind, Words>> = {
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

/** Status and body as the provider of an API would write them, so that its agent shows the message. */
export function providerError(
  api: LiveApi | undefined,
  kind: RefusalKind,
  text: string,
): { readonly status: number; readonly body: object } {
  const { status, anthropic, openai, google } = WORDS[kind];
  const message = `density: ${text}`;
  switch (api) {
    case 'openai-chat':
    case 'openai-responses':
      return { status, body: { error: { message, type: openai.type, param: null, code: openai.code } } };
    case 'gemini-api':
      return { status, body: { error: { code: status, message, status: google } } };
    default:
      return { status, body: { type: 'error', error: { type: anthropic, message } } };
  }
}
