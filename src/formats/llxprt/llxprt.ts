import { createHash } from 'node:crypto';
import type { IContent } from '../../content/content.ts';
import { contentProblem, isContent } from '../../content/content-guard.ts';
import { asCount, type Fields, isRecord } from '../../content/foreign-value.ts';
import type { SessionEvent } from '../../content/session-event.ts';
import { llxprt as vocabulary } from '../../content/vocabularies/llxprt.ts';
import { entryChanges, entryPart } from '../blocks/entry-blocks.ts';
import { isoTime } from '../blocks/iso-time.ts';
import type { Line, NewSession, Session, SessionFormat, SkippedLine } from '../contract.ts';
import { headLines } from '../json/json-file.ts';
import { spliceJson } from '../json/json-splice.ts';
import { jsonLine } from '../json/json-text.ts';
import { writeLines } from '../lines/line-edits.ts';
import { type LineMessage, moveBehindSummary, planLines } from '../lines/line-messages.ts';
import { assertRestartable, linesOf } from '../lines/lines.ts';
import { noUsableLine, ObjectLines } from '../lines/object-lines.ts';
import { recordLines } from '../lines/record-lines.ts';
import { contentsOf, entriesAt, type Message, type MessageDialect } from '../messages/message-list.ts';

const NAME = 'llxprt';
const STEP_MS = 1000;

interface Recording {
  readonly start: Message;
  readonly live: readonly LineMessage[];
  readonly hasSummary: boolean;
  readonly events: readonly SessionEvent[];
  readonly skipped: readonly SkippedLine[];
}

const isStart = (value: unknown): value is Message =>
  isRecord(value) &&
  typeof value['v'] === 'number' &&
  typeof value['seq'] === 'number' &&
  value['type'] === 'session_start';

/** Applies the lines of a recording; every content is an item, even an empty one. */
class Replay {
  readonly events: SessionEvent[] = [];
  readonly #skipped: SkippedLine[];
  start: Message | undefined;
  items: LineMessage[] = [];
  hasSummary = false;
  #line = 0;
  readonly #taken = new Set<string>();

  constructor(skipped: SkippedLine[]) {
    this.#skipped = skipped;
  }

  next(line: number, value: Message): void {
    this.#line = line;
    if (isStart(value)) this.start ??= value;
    const payload = isRecord(value['payload']) ? value['payload'] : {};
    if (value['type'] === 'content') this.#add(payload['content']);
    else if (value['type'] === 'compressed') this.#compress(payload);
    else if (value['type'] === 'rewind') this.#rewind(Math.floor(asCount(payload['itemsRemoved'])));
  }

  #item(content: unknown, key: 'content' | 'summary'): LineMessage | undefined {
    if (!isContent(content)) {
      this.#skipped.push({ line: this.#line, reason: contentProblem(content) ?? 'not an entry' });
      return undefined;
    }
    const entries = entriesAt([entryPart(content)], `line-${this.#line}`, this.#taken);
    return { message: { ...content }, entries, places: [{ line: this.#line, path: ['payload', key] }] };
  }

  #add(content: unknown): void {
    const item = this.#item(content, 'content');
    if (!item) return;
    this.items.push(item);
    for (const content of contentsOf([item])) this.events.push({ kind: 'add', content });
  }

  /** A summary without blocks: it has no entry, but still replaces earlier items. */
  #emptied(summary: unknown): LineMessage | undefined {
    const isEmptied = isRecord(summary) && Array.isArray(summary['blocks']) && summary['blocks'].length === 0;
    if (!isEmptied) return undefined;
    return { message: { ...summary }, entries: [], places: [{ line: this.#line, path: ['payload', 'summary'] }] };
  }

  #compress(payload: Message): void {
    const summary = this.#emptied(payload['summary']) ?? this.#item(payload['summary'], 'summary');
    if (!summary) return;
    this.items = [summary, ...this.items.slice(Math.floor(asCount(payload['itemsCompressed'])))];
    this.hasSummary = true;
    this.events.push({ kind: 'replace', contents: contentsOf(this.items), by: { kind: 'compaction' } });
  }

  #rewind(count: number): void {
    if (count === 0) return;
    this.items = this.items.slice(0, Math.max(0, this.items.length - count));
    this.events.push({ kind: 'replace', contents: contentsOf(this.items) });
  }
}

function readRecording(lines: Iterable<Line>): Recording {
  const rows = new ObjectLines(lines);
  const { skipped } = rows;
  const replay = new Replay(skipped);
  for (const { line, value } of rows) replay.next(line, value);
  const { start, events, items, hasSummary } = replay;
  if (start === undefined && events.length === 0)
    throw noUsableLine('a recording of LLxprt with a session_start or a content line', rows);
  const live = items.filter(({ entries }) => entries.length > 0);
  return { start: start ?? {}, live, hasSummary: hasSummary && live[0] === items[0], events, skipped };
}

function read(lines: Iterable<Line>): Session {
  const { start, live, events, skipped } = readRecording(lines);
  const payload = isRecord(start['payload']) ? start['payload'] : {};
  const { sessionId, model: named, workspaceDirs } = payload;
  const [root] = Array.isArray(workspaceDirs) ? workspaceDirs : [];
  const model = contentsOf(live).findLast(({ metadata }) => metadata?.model !== undefined)?.metadata?.model ?? named;
  return {
    format: NAME,
    ...(typeof sessionId === 'string' && { id: sessionId }),
    ...(typeof model === 'string' && { model }),
    ...(typeof root === 'string' && { workspaceRoot: root }),
    events,
    skipped,
  };
}

const dialect = (summary: Message | undefined): Pick<MessageDialect, 'changes'> => ({
  changes(message, edits) {
    // A summary keeps its line: without it, the items that it replaces would be live again.
    if (edits.every(({ edit }) => edit.kind === 'drop'))
      return message === summary ? [{ kind: 'set', path: ['blocks'], value: [] }] : 'remove';
    return entryChanges(edits);
  },
});

const newLine = (seq: number, timeMs: number, type: string, payload: Fields): Fields => ({
  v: 1,
  seq,
  ts: isoTime(timeMs),
  type,
  payload,
});

/** The lines with increasing numbers: a line after new ones may get a new number. */
function* numbered(lines: Iterable<Line>): Generator<Uint8Array> {
  let last = 0;
  for (const { bytes, parsed } of recordLines(lines)) {
    const seq = parsed.kind === 'json' && isRecord(parsed.value) ? parsed.value['seq'] : undefined;
    if (typeof seq !== 'number' || seq > last) {
      yield bytes;
      last = typeof seq === 'number' ? seq : last;
    } else yield spliceJson(bytes, [{ kind: 'set', path: ['seq'], value: ++last }]);
  }
}

function* write(lines: Iterable<Line>, history: readonly IContent[]): Generator<Uint8Array> {
  assertRestartable(lines);
  const { live, hasSummary } = readRecording(lines);
  const edits = planLines(live, history, dialect(hasSummary ? live[0]?.message : undefined));
  if (hasSummary) moveBehindSummary(edits, live, history);
  let added = 0;
  const pieces = writeLines(lines, edits, (entries) =>
    entries.map((content) => {
      added++;
      return newLine(0, content.metadata?.timestamp ?? 0, 'content', { content });
    }),
  );
  const written = [...pieces];
  yield* added === 0 ? written : numbered(linesOf(() => written));
}

function* create(history: readonly IContent[], session: NewSession): Generator<Uint8Array> {
  const { id: sessionId, startedAt, model, workspaceRoot = '/' } = session;
  const projectHash = createHash('sha256').update(workspaceRoot).digest('hex');
  const facts = {
    sessionId,
    projectHash,
    workspaceDirs: [workspaceRoot],
    provider: 'unknown',
    ...(model && { model }),
  };
  const start = newLine(1, startedAt, 'session_start', { ...facts, startTime: isoTime(startedAt) });
  const lines = history.map((content, index) =>
    newLine(index + 2, content.metadata?.timestamp ?? startedAt + index * STEP_MS, 'content', { content }),
  );
  for (const line of [start, ...lines]) yield jsonLine(line, 'a line');
}

/**
 * Recordings of LLxprt Code, lines of `{v, seq, ts, type, payload}`: `content` adds an entry, `compressed` replaces the
 * first items by a summary, `rewind` removes the last ones. Written from the published schema, without a recording.
 * Checkpoints are other formats: `llxprt-checkpoint`, `gemini-checkpoint`.
 * Source: https://github.com/vybestack/llxprt-code, packages/core/src/recording/types.ts
 */
export const llxprt: SessionFormat = {
  name: NAME,
  title: 'LLxprt recording',
  vocabulary,
  detect: (head) => isStart(headLines(head)[0]),
  read,
  write,
  create,
};
