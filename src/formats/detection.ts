import { createRequire } from 'node:module';
import { parseJson } from './lines.ts';

const require = createRequire(import.meta.url);

/** Loaded for the first text that is cut: most files tell by a whole line what they are. */
const tolerantParser = (): typeof import('jsonc-parser') => require('jsonc-parser');

/** So much of a file tells what it is. */
export const HEAD_UNITS = 256 * 1024;
/** So much of a cut line tells what it is, where whole lines stand before it. */
const CUT_LINE_UNITS = 16 * 1024;

/** A function that answers the text it was asked about last, too: every format in turn looks at the same head. */
function keepingLatest<Value>(read: (head: string) => Value): (head: string) => Value {
  let latest: { readonly head: string; readonly value: Value } | undefined;
  return (head) => {
    if (latest?.head !== head) latest = { head, value: read(head) };
    return latest.value;
  };
}

/** The object or list that a head is as it stands; undefined where it is cut, goes on behind it, or is no JSON. */
export const wholeHead: (head: string) => unknown = keepingLatest(jsonIn);

/** The value of a JSON text that may end anywhere: what is open at the end is closed. Undefined when it is no JSON. */
export const headDocument: (head: string) => unknown = keepingLatest(
  (head) => wholeHead(head) ?? jsonIn(head.slice(0, head.indexOf('\n') + 1)) ?? closed(head),
);

/**
 * The objects and lists in the lines of a JSONL text that may end anywhere, a last line that is cut included as far as
 * it goes; lines that are no JSON are left out.
 */
export const headLines: (head: string) => readonly unknown[] = keepingLatest(linesIn);

function jsonIn(text: string): unknown {
  const trimmed = text.trim();
  const ends = `${trimmed[0]}${trimmed.at(-1)}`;
  // Thousands of lines of prose or of an indented document: an error for each takes longer than all else.
  if (ends !== '{}' && ends !== '[]') return undefined;
  const parsed = parseJson(text);
  return parsed.kind === 'json' ? parsed.value : undefined;
}

/** Ten times slower than what takes whole JSON alone. */
function closed(text: string): unknown {
  return /^\s*[[{]/.test(text) ? tolerantParser().parse(text, [], { disallowComments: true }) : undefined;
}

function linesIn(head: string): readonly unknown[] {
  const whole = wholeHead(head);
  if (whole !== undefined) return head.trim().includes('\n') ? [] : [whole];
  const lines = head.split('\n');
  const last = lines.pop() ?? '';
  const values = lines.map(jsonIn).filter((value) => value !== undefined);
  const start = values.length === 0 ? last : last.slice(0, CUT_LINE_UNITS);
  const rest = jsonIn(start) ?? closed(start);
  return rest === undefined ? values : [...values, rest];
}
