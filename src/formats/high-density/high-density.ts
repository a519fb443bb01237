import type { IContent } from '../../content/content.ts';
import { contentProblem, isContent } from '../../content/content-guard.ts';
import { isRecord } from '../../content/foreign-value.ts';
import type { SessionEvent } from '../../content/session-event.ts';
import { llxprt as vocabulary } from '../../content/vocabularies/llxprt.ts';
import { entryChanges, entryPart } from '../blocks/entry-blocks.ts';
import type { Line, NewSession, Session, SessionFormat, SkippedLine } from '../contract.ts';
import { headLines } from '../detection.ts';
import { jsonLine, jsonText } from '../json/json-text.ts';
import { writeLines } from '../lines/line-edits.ts';
import { type LineMessage, planLines } from '../lines/line-messages.ts';
import { assertRestartable, noUsableLine, ObjectLines } from '../lines/lines.ts';
import type { MessageDialect } from '../messages/message-list.ts';
import { isRebuiltHistory, isSameEntry, type RebuiltHistory, rebuiltItems } from '../rebuilt-history.ts';
import { USAGE_REPORTS } from './usage.ts';

const NAME = 'high-density';
const VERSION = 1;

const isHeader = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isRecord(value) && value['format'] === NAME;

/** A unique id from the number of the line. */
function freeId(line: number, taken: ReadonlyMap<string, IContent>): string {
  let id = `line-${line}`;
  for (let count = 2; taken.has(id); count++) id = `line-${line}-${count}`;
  return id;
}

/** One entry of the file with its id, or with one from its line if it has none or a repeated one. */
function identified(content: IContent, line: number, taken: Map<string, IContent>): IContent {
  const own = content.metadata?.id;
  const id = typeof own === 'string' && !taken.has(own) ? own : freeId(line, taken);
  const entry = id === own ? content : { ...content, metadata: { ...content.metadata, id } };
  taken.set(id, entry);
  return entry;
}

/** The entries of a line that replaces the history; unknown ids are omitted and listed in `skipped`. */
function rebuilt({ history }: RebuiltHistory, line: number, { taken, skipped }: Reading): IContent[] {
  return history.flatMap((item) => {
    if (isContent(item)) return [identified(item, line, taken)];
    const known = typeof item === 'string' ? taken.get(item) : undefined;
    if (known) return [known];
    skipped.push({
      line,
      reason: `its history contains ${String(jsonText(item, 'an item')).slice(0, 80)}, which does not exist`,
    });
    return [];
  });
}

/** The state of reading a file. */
interface Reading {
  /** All entries so far, by id. */
  readonly taken: Map<string, IContent>;
  readonly skipped: SkippedLine[];
  readonly header: Record<string, unknown>;
}

const readingOf = ({ skipped }: ObjectLines): Reading => ({ taken: new Map(), skipped, header: {} });

/** For each line of the file: its entry, or the history that it sets; other lines are omitted. */
function* entriesOf(rows: ObjectLines, reading: Reading) {
  const { taken, skipped, header } = reading;
  for (const { line, value } of rows)
    if (isRebuiltHistory(value)) yield { line, contents: rebuilt(value, line, reading), content: undefined };
    else if (isHeader(value)) Object.assign(header, value);
    else if (isContent(value)) yield { line, contents: undefined, content: identified(value, line, taken) };
    else if ('speaker' in value) skipped.push({ line, reason: contentProblem(value) ?? 'not an entry' });
}

function read(lines: Iterable<Line>): Session {
  const rows = new ObjectLines(lines);
  const reading = readingOf(rows);
  const { skipped, header } = reading;
  const events: SessionEvent[] = [];
  for (const { content, contents } of entriesOf(rows, reading)) {
    if (content) events.push({ kind: 'add', content });
    if (contents) events.push({ kind: 'replace', contents });
  }
  if (events.length === 0 && !isHeader(header))
    throw noUsableLine(`a header with "format": "${NAME}" or at least one entry`, rows);
  const text = (field: string): Record<string, string> =>
    typeof header[field] === 'string' ? { [field]: header[field] } : {};
  return {
    format: NAME,
    ...text('id'),
    ...text('model'),
    ...text('workspaceRoot'),
    ...text('systemText'),
    events,
    skipped,
  };
}

const changes: MessageDialect['changes'] = (_message, edits) =>
  edits.every(({ edit }) => edit.kind === 'drop') ? 'remove' : entryChanges(edits);

const NEWLINE = 10;

/** Keeps all lines of a file with lines that set the history, and adds one that sets the new history. */
function* writeRebuilt(
  lines: Iterable<Line>,
  { live, history, known }: { live: readonly IContent[]; history: readonly IContent[]; known: Map<string, IContent> },
): Generator<Uint8Array> {
  const isSame = live.length === history.length && live.every((entry, index) => isSameEntry(entry, history[index]!));
  let last: Line | undefined;
  for (const bytes of lines) {
    yield bytes;
    last = bytes;
  }
  if (isSame) return;
  if (last && last.at(-1) !== NEWLINE) yield new Uint8Array([NEWLINE]);
  yield jsonLine({ history: rebuiltItems(history, known) }, 'the history');
}

function* write(lines: Iterable<Line>, history: readonly IContent[]): Generator<Uint8Array> {
  assertRestartable(lines);
  const rows = new ObjectLines(lines);
  const reading = readingOf(rows);
  const before: LineMessage[] = [];
  let live: IContent[] | undefined;
  for (const { line, content, contents } of entriesOf(rows, reading)) {
    if (contents) live = [...contents];
    if (!content) continue;
    const { places } = entryPart(content);
    before.push({ message: { ...content }, entries: [{ entry: content, places }], places: [{ line, path: [] }] });
    live?.push(content);
  }
  if (live) yield* writeRebuilt(lines, { live, history, known: reading.taken });
  else yield* writeLines(lines, planLines(before, history, { changes }), (entries) => entries);
}

function* create(history: readonly IContent[], session: NewSession): Generator<Uint8Array> {
  const { id, startedAt, ...facts } = session;
  yield jsonLine({ format: NAME, version: VERSION, id, startedAt, ...facts }, 'the header');
  for (const [index, content] of history.entries()) yield jsonLine(content, `entry ${index}`);
}

/**
 * Our own sessions: a header `{"format":"high-density","version":1,…}`, then one `IContent` per line. A line
 * `{"history":[…]}` replaces the history by new entries and the ids of earlier ones. Unknown lines and fields are kept.
 * Transcripts have the same form.
 */
export const highDensity: SessionFormat = {
  name: NAME,
  title: 'high-density',
  vocabulary,
  detect: (head) => isHeader(headLines(head)[0]),
  read,
  write,
  usageReports: USAGE_REPORTS,
  create,
};
