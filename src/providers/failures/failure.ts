import { isRecord } from '../../content/foreign-value.ts';
import { oneLine } from '../../content/lines/one-line.ts';
import type { FailedSummary, ProviderFailure } from '../../strategies/contract.ts';
import { saysOverflow } from './overflow.ts';
import { retryAfterMs } from './retry-after.ts';

const MESSAGE_LIMIT_CHARS = 400;
/** True for a status that is not caused by the request, which may succeed later. 529 is Anthropic's "overloaded". */
const isTransientStatus = (status: number): boolean =>
  status === 408 || status === 409 || status === 425 || status === 429 || status >= 500;
/** Errors with status 429 for which a retry is useless. Source: OpenAI's error code `insufficient_quota`. */
const NO_CREDIT = /insufficient_quota|exceeded your current quota, please check your plan|credit balance is too low/i;
/** Types of transient errors inside a stream with status 200. */
const TRANSIENT_TYPE = /overloaded|rate_limit|server_error|api_error|timeout|unavailable|internal|resource_exhausted/i;
const REFUSED_TYPE = /invalid_request|authentication|permission|not_found|invalid_argument|content_filter/i;
/** Names of the client library's errors for answers that it cannot read. */
const MALFORMED_NAME =
  /^(?:AI_(?:JSONParseError|TypeValidationError|InvalidResponseDataError|NoContentGeneratedError|NoOutputGeneratedError)|SyntaxError)$/;
/** Messages of such errors, for which the library reports status 500. */
const MALFORMED_WORDS = /^(?:JSON parsing failed|Type validation failed)/;
/** Messages of the platform for a broken connection. */
const NETWORK_WORDS =
  /terminated|fetch failed|socket|cannot connect|network|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|other side closed/i;

/** The fields of an error of unknown origin. */
interface ReadError {
  readonly name: string;
  readonly message: string;
  readonly type: string;
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The messages of its causes. */
  readonly causes: string;
}

/** The most levels of causes that are read. */
const CAUSE_DEPTH = 4;

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

function headersOf(value: unknown): Record<string, string> {
  if (!isRecord(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([name, text]) => [name.toLowerCase(), textOf(text)]));
}

function causesOf(error: unknown, depth = CAUSE_DEPTH): string {
  if (!isRecord(error) || !isRecord(error['cause']) || depth === 0) return '';
  const { cause } = error;
  return `${textOf(cause['code'])} ${textOf(cause['message'])}\n${causesOf(cause, depth - 1)}`;
}

function read(error: unknown): ReadError {
  if (!isRecord(error)) {
    return { name: '', message: textOf(error), type: '', status: undefined, headers: {}, body: '', causes: '' };
  }
  // An error inside a stream is the vendor's JSON, or only its `error` field.
  const inner = isRecord(error['error']) ? error['error'] : error;
  return {
    name: textOf(error['name']),
    message: textOf(inner['message']) || textOf(error['message']),
    type: [inner['type'], inner['code'], inner['status']].map(textOf).join(' '),
    status: typeof error['statusCode'] === 'number' ? error['statusCode'] : undefined,
    headers: headersOf(error['responseHeaders']),
    body: textOf(error['responseBody']),
    causes: causesOf(error),
  };
}

function kindOf({ name, message, type, status, body, causes }: ReadError): ProviderFailure {
  const words = `${message}\n${type}\n${body}`;
  if (status === 413 || saysOverflow(words)) return 'overflow';
  if (NO_CREDIT.test(words)) return 'refused';
  if (MALFORMED_NAME.test(name) || MALFORMED_WORDS.test(message)) return 'malformed';
  if (status !== undefined && status >= 400) return isTransientStatus(status) ? 'transient' : 'refused';
  if (status !== undefined) return NETWORK_WORDS.test(causes) ? 'transient' : 'malformed';
  if (TRANSIENT_TYPE.test(type)) return 'transient';
  if (REFUSED_TYPE.test(type)) return 'refused';
  return name === 'AI_APICallError' || NETWORK_WORDS.test(words + causes) ? 'transient' : 'malformed';
}

/** The failure of an error, by its status and its message; `malformed` if it is unknown. */
export function failureOf(vendor: string, error: unknown): FailedSummary {
  const found = read(error);
  const waitMs = retryAfterMs(found.headers, found.body);
  const status = found.status === undefined ? '' : ` (status ${found.status})`;
  const failure = kindOf(found);
  // The client library uses such a status for an answer that it cannot process.
  const isBroken = failure === 'transient' && found.status !== undefined && found.status < 400;
  const words = isBroken ? 'the connection broke before the answer ended' : found.message || 'the request failed';
  return {
    kind: 'failed',
    failure,
    message: oneLine(`${vendor}: ${words}${isBroken ? '' : status}`, MESSAGE_LIMIT_CHARS),
    ...(waitMs !== undefined && { retryAfterMs: waitMs }),
  };
}
