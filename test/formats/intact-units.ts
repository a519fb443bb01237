import type { Session } from '../../src/formats/contract.ts';

/** Shorter strings are types, roles and names, which are everywhere. */
const MIN_CHARACTERS = 12;

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Every long string inside a value; those that are JSON themselves (arguments of calls) are looked into. */
export function stringsIn(value: unknown, found: Set<string> = new Set()): Set<string> {
  if (typeof value === 'string') {
    if (value.length >= MIN_CHARACTERS) found.add(value);
    if (/^\s*[{[]/.test(value)) stringsIn(parsed(value), found);
  } else if (Array.isArray(value)) for (const item of value) stringsIn(item, found);
  else if (isFields(value)) for (const item of Object.values(value)) stringsIn(item, found);
  return found;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The longest list of objects in a document: its messages. */
function messagesOf(document: unknown): readonly unknown[] {
  if (Array.isArray(document)) return document;
  const lists = isFields(document) ? Object.values(document).filter((value) => Array.isArray(value)) : [];
  return lists.reduce((longest, list) => (list.length > longest.length ? list : longest), []);
}

/**
 * What a file is made of, each with its text: the lines of a JSONL file, by number from 1, or the messages of a document.
 * Found without any reader of ours.
 */
function unitsOf(
  text: string,
  isLines: boolean,
): { readonly key: string; readonly value: unknown; readonly line: number }[] {
  const whole = text.replace(/^\ufeff/, '');
  if (!isLines) return messagesOf(parsed(whole)).map((value) => ({ key: JSON.stringify(value), value, line: 1 }));
  return whole.split('\n').map((line, index) => ({ key: line.trimEnd(), value: parsed(line), line: index + 1 }));
}

const idOf = (value: unknown): unknown => (isFields(value) ? value['id'] : undefined);

/** Everything that a session says at any time, as one text to look things up in. */
function saidIn({ events, systemText = '' }: Session): string {
  const strings = new Set<string>();
  for (const event of events)
    for (const entry of event.kind === 'add' ? [event.content] : event.contents) stringsIn(entry, strings);
  return [...strings, systemText].join('\u0000');
}

/**
 * The texts of intact lines or messages that a spoilt file no longer returns and does not report as skipped.
 * A line is intact when the very same text is still a line; its texts are the long strings that only it contains and
 * that the reader showed before.
 */
export function lostWords(
  before: { readonly text: string; readonly session: Session },
  after: { readonly text: string; readonly session: Session | undefined },
  isLines: boolean,
): string[] {
  const saidBefore = saidIn(before.session);
  const saidAfter = after.session ? saidIn(after.session) : '';
  const told = new Set(after.session?.skipped.map(({ line }) => line));
  const unitsAfter = unitsOf(after.text, isLines);
  const left = new Map(unitsAfter.map(({ key, line }) => [key, line]));
  /** Where each message was written last, in files that write a message again when it grows. */
  const lastWritten = new Map(unitsAfter.map(({ value, line }) => [idOf(value), line]));
  const units = unitsOf(before.text, isLines);
  const isSeparate = (words: string): boolean => {
    const written = JSON.stringify(words).slice(1, -1);
    // A document may say the same outside its messages, as in its tools, and only that may be shown.
    const isOnlyHere = isLines || before.text.split(written).length <= 2;
    return isOnlyHere && units.filter(({ key }) => key.includes(written)).length <= 1;
  };
  return units.flatMap(({ key, value }) => {
    const line = left.get(key);
    if (line === undefined || (isLines && told.has(line))) return [];
    if (isLines && idOf(value) !== undefined && lastWritten.get(idOf(value)) !== line) return [];
    return [...stringsIn(value)]
      .filter((words) => saidBefore.includes(words) && !saidAfter.includes(words) && isSeparate(words))
      .map((words) => `${isLines ? `line ${line}` : 'a message'}: ${words.slice(0, 80)}`);
  });
}
