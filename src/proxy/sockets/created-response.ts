import { append } from '../../content/append.ts';
import { isRecord, jsonFields } from '../../content/foreign-value.ts';
import { membersOf, OPEN_LIST, OPEN_OBJECT, skipSpace } from '../../formats/json/json-scan.ts';

/**
 * A request for a response over a WebSocket: a body of the Responses API with a `type`.
 * Source: https://developers.openai.com/api/docs/guides/websocket-mode
 */
export interface CreatedResponse {
  /** The response that it continues: its items are before these. */
  readonly previous: string | undefined;
  /** Responses of one stream come one after the other; the empty text is the only one of most agents. */
  readonly stream: string;
  /** True if nothing is generated. */
  readonly isWarmUp: boolean;
  /** The items in it, each as its JSON. */
  readonly items: readonly Buffer[];
  /** What would be headers over HTTP. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body of the same request over HTTP, after these items. */
  whole(before: readonly Buffer[]): Buffer;
  /** The same request with other items. */
  withItems(items: readonly Buffer[]): Buffer;
  /** The same request with all items of its history: a chain of its own. */
  asNewChain(items: readonly Buffer[]): Buffer;
}

/** Only over a WebSocket, or only where the history is on the server. */
const ONLY_HERE: ReadonlySet<string> = new Set(['type', 'previous_response_id', 'generate', 'stream_id']);
const PREVIOUS: ReadonlySet<string> = new Set(['previous_response_id']);
const NONE: ReadonlySet<string> = new Set();

/** Headers of HTTP, by their names in `client_metadata`. Source: Codex 0.169.0. */
const HEADERS: Readonly<Record<string, string>> = {
  'x-codex-turn-metadata': 'x-codex-turn-metadata',
  'x-openai-subagent': 'x-openai-subagent',
  session_id: 'session-id',
  thread_id: 'thread-id',
};

/** Undefined for anything else. */
export function createdResponse(bytes: Buffer): CreatedResponse | undefined {
  const value = jsonFields(bytes);
  if (value?.['type'] !== 'response.create' || !Array.isArray(value['input'])) return undefined;
  const { previous_response_id: previous = null, stream_id: stream = '', generate, client_metadata: facts } = value;
  if ((previous !== null && typeof previous !== 'string') || typeof stream !== 'string') return undefined;
  const members = membersOf(bytes, skipSpace(bytes, 0));
  if (new Set(members.map(({ key }) => key)).size !== members.length) return undefined;
  const write = (without: ReadonlySet<string>, items: readonly Buffer[]): Buffer => {
    const pieces: Uint8Array[] = [];
    for (const { key, start, end } of members) {
      if (without.has(String(key))) continue;
      pieces.push(pieces.length === 0 ? OPEN : COMMA);
      if (key === 'input') append(pieces, [INPUT, ...joined(items), CLOSE_LIST]);
      else pieces.push(bytes.subarray(start, end));
    }
    return Buffer.concat([...pieces, CLOSE]);
  };
  const told = isRecord(facts) ? facts : {};
  const items = itemsOf(bytes) ?? [];
  return {
    previous: previous ?? undefined,
    stream,
    isWarmUp: generate === false,
    items: items.map((item) => Buffer.from(item)),
    headers: Object.fromEntries(
      Object.entries(HEADERS).flatMap(([name, header]) =>
        typeof told[name] === 'string' ? [[header, told[name]]] : [],
      ),
    ),
    whole: (before) => write(ONLY_HERE, [...before, ...items]),
    withItems: (others) => write(NONE, others),
    asNewChain: (all) => write(PREVIOUS, all),
  };
}

const [OPEN, CLOSE, COMMA, INPUT, CLOSE_LIST] = ['{', '}', ',', '"input":[', ']'].map((text) => Buffer.from(text)) as [
  Buffer,
  Buffer,
  Buffer,
  Buffer,
  Buffer,
];

const joined = (items: readonly Buffer[]): Uint8Array[] =>
  items.flatMap((item, at) => (at === 0 ? [item] : [COMMA, item]));

/** The items of a body, each as its JSON; undefined if it has no list of them. */
export function itemsOf(bytes: Uint8Array): Buffer[] | undefined {
  const found = memberOf(bytes, skipSpace(bytes, 0), 'input');
  if (found === undefined || bytes[found.valueStart] !== OPEN_LIST) return undefined;
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return membersOf(bytes, found.valueStart).map(({ start, end }) => all.subarray(start, end));
}

/** The JSON of the item that an event has; undefined without one. */
export function itemOfEvent(bytes: Buffer): Buffer | undefined {
  const found = memberOf(bytes, skipSpace(bytes, 0), 'item');
  return found && Buffer.from(bytes.subarray(found.valueStart, found.end));
}

const memberOf = (bytes: Uint8Array, from: number, name: string) =>
  bytes[from] === OPEN_OBJECT ? membersOf(bytes, from).find(({ key }) => key === name) : undefined;
