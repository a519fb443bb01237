import { isRecord } from '../../../src/content/foreign-value.ts';

const NOTE = /⟦density: [^⟧]* as shown above by [^⟧]*, from "([^⟧"…]*)[^⟧]*⟧/g;

const isSummary = (value: unknown): boolean =>
  isRecord(value) &&
  (value['type'] === 'compaction' || (Array.isArray(value['content']) && value['content'].some(isSummary)));

/** In order, of values that may be deep. */
function* textsIn(value: unknown): Generator<string> {
  const left = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next === 'string') yield next;
    else if (typeof next === 'object' && next !== null)
      for (const inner of Object.values(next).reverse()) left.push(inner);
  }
}

function parsed(body: Buffer): Record<string, unknown> {
  try {
    return JSON.parse(body.toString());
  } catch {
    return {};
  }
}

/** True if a request lets its provider clear results before its model sees them. */
const letsClear = (request: Record<string, unknown>): boolean => 'context_management' in request;

/**
 * A note in a request for lines that its model sees neither above it nor around it, after the last summary of its provider, or may not see. A
 * note that a tool printed is in the `original` too, and is not ours.
 */
export function unseenNote(body: Buffer, original: Buffer): string | undefined {
  const request = parsed(body);
  const printed = new Set([...textsIn(parsed(original))].flatMap((text) => text.match(NOTE) ?? []));
  const lists = ['messages', 'input', 'contents'].map((name) => request[name]).filter(Array.isArray);
  for (const list of lists) {
    let shown = '';
    for (const text of textsIn(list.slice(Math.max(0, list.findLastIndex(isSummary))))) {
      if (!letsClear(request)) shown += `${text.replace(NOTE, '')}\n`;
      for (const [note, words] of text.matchAll(NOTE)) if (!printed.has(note) && !shown.includes(words!)) return note;
    }
  }
  return undefined;
}
