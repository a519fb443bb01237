import { createHash } from 'node:crypto';
import { isRecord, jsonFields } from '../../content/foreign-value.ts';
import type { Message } from '../../formats/messages/message-list.ts';
import type { Body, LiveRequest } from '../contract.ts';
import type { RequestList } from './request-list.ts';

type Headers = LiveRequest['headers'];

/** The first value of the first of these headers that has one. */
const firstHeader = (headers: Headers, names: readonly string[]): string | undefined =>
  names.flatMap((name) => headers?.[name] ?? []).find((value) => value !== '');

const KEY_HEADERS = ['x-api-key', 'x-goog-api-key'];
/** A JSON Web Token as a bearer: its middle part has the claims. Source: RFC 7519, section 3; RFC 6750, section 2.1. */
const BEARER = /^bearer\s+[\w-]+\.([\w-]+)\.[\w-]+$/i;

/**
 * The account that a credential names: an API key its own; a JSON Web Token whose it is for its issuer (`iss`, `sub`; RFC 7519,
 * section 4.1), with the workspace in which Codex uses it. A token that is refreshed names the same account. `undefined` for
 * tokens that say nothing. The provider checks the credential, not we.
 */
function accountOf(headers: Headers): string | undefined {
  const key = firstHeader(headers, KEY_HEADERS);
  if (key !== undefined) return key;
  const claims = BEARER.exec(firstHeader(headers, ['authorization']) ?? '')?.[1];
  if (claims === undefined) return undefined;
  // Something else may only look like one.
  const { iss, sub } = jsonFields(Buffer.from(claims, 'base64url')) ?? {};
  return typeof sub === 'string' ? JSON.stringify([iss, sub, firstHeader(headers, ['chatgpt-account-id'])]) : undefined;
}

/** Headers that name a session, and those that name an agent of it. Source: docs/live.md, "Which requests are one conversation". */
const SESSION_HEADERS = [
  'x-claude-code-session-id',
  'session-id',
  'session_id',
  'x-session-id',
  'x-session-affinity',
  'x-task-id',
];
const AGENT_HEADERS = ['x-claude-code-agent-id', 'x-openai-subagent', 'thread-id'];
/** True for a request of a sub-agent, false for one of its main agent; undefined where the agent names neither. */
export const namesSubagent = (headers: Headers): boolean | undefined =>
  headers?.['x-claude-code-session-id'] === undefined ? undefined : headers['x-claude-code-agent-id'] !== undefined;

/**
 * How agents mark requests that are beside their conversation, summaries of it among them.
 * Source: docs/live.md, "Requests for a summary".
 */
const SIDE_CLASSES = new Set(['compaction', 'auxiliary']);
const CODEX_SUMMARY = '"request_kind":"compaction"';

const toldSession = ({ conversation, headers }: LiveRequest<Body>): string | undefined =>
  conversation ?? firstHeader(headers, SESSION_HEADERS);

/** The session that the body names. */
function bodySession(list: RequestList): string | undefined {
  const cacheKey = list.field('prompt_cache_key');
  if (typeof cacheKey === 'string') return cacheKey;
  const metadata = list.field('metadata');
  const user = isRecord(metadata) ? metadata['user_id'] : undefined;
  return typeof user === 'string' ? user : undefined;
}

/** A hash of the account that the credential names; undefined where it names none. */
export function accountKey(headers: Headers): string | undefined {
  const account = accountOf(headers);
  return account === undefined ? undefined : keyOf(['account', account]);
}

const keyOf = (parts: readonly string[]): string => createHash('sha256').update(JSON.stringify(parts)).digest('hex');

/** The name of a start, by the hash of the first element. */
export const startKey = (hashOfFirst: string): string => keyOf(['start', hashOfFirst]);

function sessionKey(session: string, headers: Headers, account: string | undefined): string {
  const payer = account ?? firstHeader(headers, ['authorization']) ?? '';
  return keyOf(['session', session, firstHeader(headers, AGENT_HEADERS) ?? '', payer]);
}

/** The name that the caller or the headers give to a conversation. */
export function namedKey(request: LiveRequest<Body>): string | undefined {
  const session = toldSession(request);
  return session === undefined ? undefined : sessionKey(session, request.headers, accountOf(request.headers));
}

/** How a conversation is named. */
export interface ConversationNames {
  readonly key: string;
  /** The agent's own name of its session; undefined where requests have none. */
  readonly session: string | undefined;
  /** A hash of the account that the credential names; undefined where it names none. */
  readonly account: string | undefined;
  startOf(): string;
}

/**
 * The names of the conversation of a request: what its caller, its headers or its body say, else the start of its list.
 * The key is hashed: values are long, and some are secrets.
 */
export function conversationNames(
  request: LiveRequest<Body>,
  list: RequestList,
  startOf: () => string,
): ConversationNames {
  const session = toldSession(request) ?? bodySession(list);
  const account = accountOf(request.headers);
  return {
    key: session === undefined ? startOf() : sessionKey(session, request.headers, account),
    session,
    account: accountKey(request.headers),
    startOf,
  };
}

/** True for titles, probes, summaries and other requests beside the conversation: those without tools, or marked so. */
export function isSideRequest({ headers, isSummary }: LiveRequest<Body>, list: RequestList): boolean {
  if (isSummary) return true;
  const kind = firstHeader(headers, ['x-claude-code-request-class']);
  if (kind !== undefined && SIDE_CLASSES.has(kind)) return true;
  if (firstHeader(headers, ['x-codex-turn-metadata'])?.includes(CODEX_SUMMARY)) return true;
  // A summary on demand. Source: https://platform.claude.com/docs/en/build-with-claude/compaction-on-demand
  if (isRecord(list.field('compaction'))) return true;
  return !hasTools(list.field('tools')) && !hasTools(toolsOfItem(list.element(0)));
}

const hasTools = (tools: unknown): boolean =>
  tools !== undefined && tools !== null && !(Array.isArray(tools) && tools.length === 0);

/** Codex has its tools in the first item of the list for models in code mode. Source: Codex 0.171.0 with gpt-5.6-sol. */
const toolsOfItem = ({ type, tools }: Message): unknown => (type === 'additional_tools' ? tools : undefined);
