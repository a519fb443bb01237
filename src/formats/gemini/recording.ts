import { isDeepStrictEqual } from 'node:util';
import type { IContent } from '../../content/content.ts';
import { isRecord } from '../../content/foreign-value.ts';
import type { SessionEvent } from '../../content/session-event.ts';
import type { Line, Session, SkippedLine } from '../contract.ts';
import type { JsonPath } from '../json/json-change.ts';
import type { LineMessage } from '../lines/line-messages.ts';
import { noUsableLine, ObjectLines } from '../lines/object-lines.ts';
import { entriesAt, type Message, type MessageDialect } from '../messages/message-list.ts';
import { ResultCopies } from './result-copies.ts';

/** A message with its first and its last form. */
interface Recorded {
  message: Message;
  entries: LineMessage['entries'] | undefined;
  readonly places: { readonly line: number; readonly path: JsonPath }[];
  /** The equal message before all messages were replaced: both have the same entries. */
  same: Recorded | undefined;
}

/** A new message, or all messages that are live from now on. */
type Step =
  | { readonly kind: 'add'; readonly recorded: Recorded }
  | { readonly kind: 'live'; readonly live: readonly Recorded[] };

const TYPES: ReadonlySet<unknown> = new Set(['user', 'gemini', 'info', 'error', 'warning']);

/** True if a line is a message of a recording. */
function isRecordedMessage(value: unknown): value is Message & { id: string } {
  return isRecord(value) && typeof value['id'] === 'string' && TYPES.has(value['type']);
}

/** True if a value is the header of a recording. */
export function isHeader(value: unknown): value is Message {
  return isRecord(value) && typeof value['sessionId'] === 'string' && 'projectHash' in value && !('messages' in value);
}

/** The facts of the whole session. */
export function sessionFacts(
  header: Message,
  messages: readonly unknown[],
): Pick<Session, 'id' | 'model' | 'workspaceRoot'> {
  const last = messages.findLast((message) => isRecord(message) && typeof message['model'] === 'string');
  const [root] = Array.isArray(header['directories']) ? header['directories'] : [];
  return {
    ...(typeof header['sessionId'] === 'string' && { id: header['sessionId'] }),
    ...(isRecord(last) && { model: String(last['model']) }),
    ...(typeof root === 'string' && { workspaceRoot: root }),
  };
}

/** Applies the lines of a recording to its messages. */
class RecordingLines {
  readonly steps: Step[] = [];
  header: Message = {};
  readonly #skipped: SkippedLine[];
  #live = new Map<string, Recorded>();

  constructor(skipped: SkippedLine[]) {
    this.#skipped = skipped;
  }

  get live(): readonly Recorded[] {
    return [...this.#live.values()];
  }

  line(line: number, value: Message): void {
    if (isRecordedMessage(value)) this.#put(value, line);
    else if (isRecord(value['$set'])) this.#set(value['$set'], line);
    else if (typeof value['$rewindTo'] === 'string') this.#rewind(value['$rewindTo'], line);
    else if (isHeader(value)) this.header = { ...this.header, ...value };
  }

  #put(message: Message & { id: string }, line: number): void {
    const known = this.#live.get(message.id);
    if (known) {
      known.message = message;
      known.same = undefined;
      known.places.push({ line, path: [] });
      return;
    }
    const recorded = { message, entries: undefined, places: [{ line, path: [] }], same: undefined };
    this.#live.set(message.id, recorded);
    this.steps.push({ kind: 'add', recorded });
  }

  #set({ messages, ...facts }: Message, line: number): void {
    this.header = { ...this.header, ...facts };
    if (!Array.isArray(messages)) return;
    const before = this.#live;
    this.#live = new Map();
    for (const [index, message] of messages.entries()) {
      if (!isRecordedMessage(message)) continue;
      const same = before.get(message.id);
      const isSame = same && isDeepStrictEqual(same.message, message);
      const places = [{ line, path: ['$set', 'messages', index] }];
      this.#live.set(message.id, { message, entries: undefined, places, same: isSame ? same : undefined });
    }
    this.steps.push({ kind: 'live', live: this.live });
  }

  /** Removes the message with this id and all messages after it. */
  #rewind(id: string, line: number): void {
    if (!this.#live.has(id)) {
      this.#skipped.push({ line, reason: `rewinds to ${JSON.stringify(id.slice(0, 60))}, which does not exist` });
      return;
    }
    const kept: [string, Recorded][] = [];
    for (const one of this.#live) {
      if (one[0] === id) break;
      kept.push(one);
    }
    this.#live = new Map(kept);
    this.steps.push({ kind: 'live', live: this.live });
  }
}

/** A recording that was read: its session, its facts, and the live messages with their positions. */
interface ReadRecording {
  readonly session: Session;
  readonly header: Message;
  readonly live: readonly LineMessage[];
}

/**
 * Reads a recording of lines. A message that is written several times counts in its last form, at its first position. A
 * result that is written in its call and in a user message is one entry of both.
 * @throws CompressionStrategyError `SESSION_UNREADABLE` if there is no header and no message.
 */
export function readRecording(lines: Iterable<Line>, dialect: MessageDialect, format: string): ReadRecording {
  const rows = new ObjectLines(lines);
  const { skipped } = rows;
  const recording = new RecordingLines(skipped);
  for (const { line, value } of rows) recording.line(line, value);
  const { header, steps } = recording;
  if (steps.length === 0 && !('sessionId' in header))
    throw noUsableLine('a Gemini CLI recording with a header or a message', rows);
  const reader = dialect.reader();
  const taken = new Set<string>();
  const copies = new ResultCopies();
  const readEntries = ({ message, places }: Recorded): LineMessage['entries'] => {
    const entries = entriesAt(reader(message), `line-${places[0]?.line ?? 0}`, taken);
    if (message['type'] === 'user') return copies.join(entries);
    copies.note(entries);
    return entries;
  };
  const entriesOf = (recorded: Recorded): LineMessage['entries'] => {
    recorded.entries ??= recorded.same ? entriesOf(recorded.same) : readEntries(recorded);
    return recorded.entries;
  };
  const contentsOf = (recorded: Recorded): IContent[] => copies.contentsOf(entriesOf(recorded));
  // Live messages first: of several messages with one id, the live one keeps it.
  for (const recorded of recording.live) entriesOf(recorded);
  const events = steps.flatMap((step): SessionEvent[] =>
    step.kind === 'add'
      ? contentsOf(step.recorded).map((content) => ({ kind: 'add', content }))
      : [{ kind: 'replace', contents: step.live.flatMap(contentsOf) }],
  );
  const live = recording.live.map((recorded): LineMessage => {
    const { message, places } = recorded;
    return { message, entries: entriesOf(recorded), places: places as [(typeof places)[number]] };
  });
  const messages = recording.live.map(({ message }) => message);
  return { session: { format, ...sessionFacts(header, messages), events, skipped }, header, live };
}
