import { isRecord, jsonOf } from '../../content/foreign-value.ts';
import { HOUR_MS, MINUTE_MS } from '../../durations.ts';
import { membersOf, OPEN_OBJECT, skipSpace } from '../../formats/json/json-scan.ts';
import { decode } from '../../formats/lines/lines.ts';
import { isVendorHost } from '../../live/cache/vendor-host.ts';
import { headerPairs } from '../answer/error-text.ts';
import { apiLogin } from '../api-login.ts';
import { type CacheMark, cacheMarks } from './cache-marks.ts';

/** A request as it was sent. */
export interface SentMessages {
  readonly method: string;
  readonly target: URL;
  /** Names and values, one after the other. */
  readonly headers: readonly string[];
  /** Not encoded. */
  readonly body: Uint8Array;
}

/** The request that keeps the cache of another one. */
export interface PingRequest extends SentMessages {
  /** The shortest lifetime that its marks ask for. */
  readonly lifetimeMs: number;
}

/**
 * Why no ping may follow a request: it is for another API or host; its login is that of a plan, or names no API key; its price is a
 * higher one; it cannot be sent for no answer; an answer could act although it generates nothing; it marks nothing for the cache; or
 * something in it is not known here.
 */
export type NoPing = 'elsewhere' | 'plan' | 'no-key' | 'price' | 'answer' | 'acts' | 'unmarked' | 'unknown';

const PATH = '/v1/messages';

/** Headers that a ping does not repeat: they say that it is the same request, or sent again after a failure; the length is its own. */
const NOT_REPEATED =
  /^(?:idempotency-key|x-idempotency-key|x-stainless-(?:idempotency-key|retry-count)|content-length|content-encoding|expect|host)$/i;

/**
 * Why no ping may follow a request, as far as its address and its headers say; undefined if they forbid none. `vendor`: an origin in the
 * place of the vendor's.
 */
export function forbiddenByHeaders(
  { method, target, headers }: Omit<SentMessages, 'body'>,
  vendor?: string,
): NoPing | undefined {
  const isVendors = vendor === undefined ? isVendorHost('anthropic-messages', target.origin) : target.origin === vendor;
  if (method !== 'POST' || !isVendors || target.pathname !== PATH) return 'elsewhere';
  const login = apiLogin(headers);
  return login === 'key' ? undefined : login === 'plan' ? 'plan' : 'no-key';
}

type Check = (value: unknown) => NoPing | undefined;
const any: Check = () => undefined;
const oneOf =
  (values: readonly unknown[], otherwise: NoPing): Check =>
  (value) =>
    values.includes(value) ? undefined : otherwise;
const typeOf = (value: unknown): unknown => (isRecord(value) ? value['type'] : undefined);

/** Tools that the agent itself runs. Source: https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview */
const CLIENT_TOOL = /^(?:custom|bash_\d+|text_editor_\d+|computer_\d+|memory_\d+)$/;

/** Removes thinking only where the agent asks for that; with `all` nothing. Source: https://platform.claude.com/docs/en/build-with-claude/context-editing */
const onlyKeeps = (edit: unknown): boolean =>
  isRecord(edit) && edit['type'] === 'clear_thinking_20251015' && edit['keep'] === 'all';

/**
 * Which values of a field a ping may have. With `max_tokens: 0` nothing is generated, and the API refuses a budget of thinking, a format,
 * and a forced choice of a tool. No document says what it does of itself where the provider runs tools, containers or compactions: then none is sent.
 * A field that is not here is not known, so none is sent either.
 * Source: docs/provider.md, "How the cache works"; https://platform.claude.com/docs/en/api/messages
 */
const FIELDS = new Map<string | number, Check>(
  Object.entries({
    model: any,
    messages: any,
    system: any,
    max_tokens: any,
    stream: any,
    metadata: any,
    stop_sequences: any,
    temperature: any,
    top_k: any,
    top_p: any,
    cache_control: any,
    inference_geo: any,
    thinking: (value) => oneOf(['adaptive', 'disabled'], 'answer')(typeOf(value)),
    tool_choice: (value) => oneOf(['auto', 'none'], 'answer')(typeOf(value)),
    output_config: (value) =>
      isRecord(value) && Object.keys(value).every((name) => name === 'effort') ? undefined : 'answer',
    tools: (value) => {
      const isClients = (tool: unknown): boolean =>
        isRecord(tool) && CLIENT_TOOL.test(String(tool['type'] ?? 'custom'));
      return Array.isArray(value) && value.every(isClients) ? undefined : 'acts';
    },
    context_management: (value) => {
      const edits = isRecord(value) ? (value['edits'] ?? []) : undefined;
      return Array.isArray(edits) && edits.every(onlyKeeps) ? undefined : 'acts';
    },
    mcp_servers: (value) => (Array.isArray(value) && value.length === 0 ? undefined : 'acts'),
    container: oneOf([null], 'acts'),
    speed: oneOf(['standard', null], 'price'),
    service_tier: oneOf(['auto', 'standard_only', null], 'price'),
  }),
);

/** Fields whose text is long, and says nothing of a ping. */
const NOT_READ = new Set(['messages', 'system']);

/**
 * The same request for no answer: every byte is as it was sent but `max_tokens`, which is 0, and `stream`, which is left out. It reads the
 * whole prompt, so that the cache is kept, and generates nothing, so that it cannot act. Linear in the body.
 */
export function pingRequest(sent: SentMessages, vendor?: string): PingRequest | NoPing {
  const forbidden = forbiddenByHeaders(sent, vendor);
  if (forbidden !== undefined) return forbidden;
  const { body } = sent;
  const start = skipSpace(body, 0);
  if (body[start] !== OPEN_OBJECT) return 'unknown';
  const members = membersOf(body, start);
  if (new Set(members.map(({ key }) => key)).size !== members.length) return 'unknown';
  for (const { key, valueStart, end } of members) {
    if (NOT_READ.has(String(key))) continue;
    const check = FIELDS.get(key);
    const reason = check === undefined ? 'unknown' : check(jsonOf(decode(body.subarray(valueStart, end))));
    if (reason !== undefined) return reason;
  }
  const messages = members.find(({ key }) => key === 'messages');
  const limit = members.find(({ key }) => key === 'max_tokens');
  if (messages === undefined || limit === undefined) return 'unknown';
  // The answer would go on with the words of the model, or with a call of a tool of the provider.
  const last = membersOf(body, messages.valueStart).at(-1);
  const role = last && membersOf(body, last.valueStart).find(({ key }) => key === 'role');
  if (role === undefined || decode(body.subarray(role.valueStart, role.end)) !== '"user"') return 'answer';
  const marks = cacheMarks(body);
  if (marks.length === 0) return 'unmarked';
  const { method, target } = sent;
  return {
    method,
    target,
    headers: repeated(sent.headers),
    body: withoutAnswer(body, members),
    lifetimeMs: shortest(marks),
  };
}

const shortest = (marks: readonly CacheMark[]): number =>
  marks.every(({ ttl }) => ttl === '1h') ? HOUR_MS : 5 * MINUTE_MS;

const repeated = (headers: readonly string[]): string[] =>
  headerPairs(headers).flatMap(([name, value]) => (NOT_REPEATED.test(name) ? [] : [name, value]));

function withoutAnswer(body: Uint8Array, members: ReturnType<typeof membersOf>): Uint8Array {
  const parts: Uint8Array[] = [];
  let from = 0;
  const replace = (start: number, end: number, text: string): void => {
    parts.push(body.subarray(from, start), Buffer.from(text));
    from = end;
  };
  members.forEach(({ key, start, valueStart, end }, at) => {
    if (key === 'max_tokens') replace(valueStart, end, '0');
    if (key !== 'stream') return;
    const next = members[at + 1];
    // With the comma after it; the one before it, if it is the last.
    if (next) replace(start, next.start, '');
    else replace(Math.max(from, members[at - 1]!.end), end, '');
  });
  return Buffer.concat([...parts, body.subarray(from)]);
}
