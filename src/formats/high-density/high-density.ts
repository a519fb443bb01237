import type { IContent, Usage } from '../../content/content.ts';
import { contentProblem, isContent } from '../../content/content-guard.ts';
import { isRecord } from '../../content/foreign-value.ts';
import type { SessionEvent } from '../../content/session-event.ts';
import { llxprt as vocabulary } from '../../content/vocabularies/llxprt.ts';
import { entryChanges, entryPart } from '../blocks/entry-blocks.ts';
import type { Line, NewSession, Session, SessionFormat, SkippedLine } from '../contract.ts';
import { type JsonPath, valueAt } from '../json/json-change.ts';
import { headLines } from '../json/json-file.ts';
import { jsonLine, jsonText } from '../json/json-text.ts';
import { writeLines } from '../lines/line-edits.ts';
import { type LineMessage, planLines } from '../lines/line-messages.ts';
import { assertRestartable } from '../lines/lines.ts';
import { noUsableLine, ObjectLines } from '../lines/object-lines.ts';
import { recordLines } from '../lines/record-lines.ts';
import type { MessageDialect } from '../messages/message-list.ts';
import { withProviderCuts } from '../provider-cuts.ts';
import type { UsageReports } from '../usage/usage-report.ts';

/** An entry, or the id of an earlier entry in the file. */
type RebuiltItem = string | IContent;

/** A line of our own sessions that replaces the history. */
interface RebuiltHistory {
  readonly history: readonly unknown[];
}

/** True if the value of a line is such a line. */
const isRebuiltHistory = (value: unknown): value is RebuiltHistory =>
  isRecord(value) && !('speaker' in value) && Array.isArray(value['history']);

/** True if two entries are equal, field by field. */
const isSameEntry = (one: IContent, other: IContent): boolean =>
  one === other || jsonText(one, 'an entry') === jsonText(other, 'an entry');

/** `history` for such a line: an entry that is unchanged in `known` is written as its id. */
function rebuiltItems(history: readonly IContent[], known: ReadonlyMap<string, IContent>): RebuiltItem[] {
  return history.map((entry) => {
    const { id } = entry.metadata ?? {};
    const before = id === undefined ? undefined : known.get(id);
    return id !== undefined && before !== undefined && isSameEntry(before, entry) ? id : entry;
  });
}

/** The usage in an entry, or in those of a line that sets the history. */
const USAGE_REPORTS: UsageReports = {
  // A line is checked when it is read.
  read: (report) => report as Usage,
  prompt: ['promptTokens'],
  parts: [['cachedTokens'], ['writtenTokens']],
  total: ['totalTokens'],
  reported: 'reported',
  placesIn(line) {
    const history = valueAt(line, ['history']);
    const listed = Array.isArray(history) ? history.map((_, index): JsonPath => ['history', index]) : [];
    return [[], ...listed]
      .map((path): JsonPath => [...path, 'metadata', 'usage'])
      .filter((path) => isRecord(valueAt(line, path)));
  },
};

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
  for (const { bytes } of recordLines(lines)) {
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
export const highDensity: SessionFormat = withProviderCuts({
  name: NAME,
  title: 'high-density',
  vocabulary,
  detect: (head) => isHeader(headLines(head)[0]),
  read,
  write,
  usageReports: USAGE_REPORTS,
  create,
});
