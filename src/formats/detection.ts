import { cutJson, wholeJson } from './json/cut-json.ts';

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
export const wholeHead: (head: string) => unknown = keepingLatest(wholeJson);

/** The value of a JSON text that may end anywhere: what is open at the end is closed. Undefined when it is no JSON. */
export const headDocument: (head: string) => unknown = keepingLatest(
  (head) => wholeHead(head) ?? wholeJson(head.slice(0, head.indexOf('\n') + 1)) ?? cutJson(head),
);

/**
 * The objects and lists in the lines of a JSONL text that may end anywhere, a last line that is cut included as far as
 * it goes; lines that are no JSON are left out.
 */
export const headLines: (head: string) => readonly unknown[] = keepingLatest((head) => {
  const whole = wholeHead(head);
  if (whole !== undefined) return head.trim().includes('\n') ? [] : [whole];
  const lines = head.split('\n');
  const last = lines.pop() ?? '';
  const values = lines.map(wholeJson).filter((value) => value !== undefined);
  const cut = values.length === 0 ? last : last.slice(0, CUT_LINE_UNITS);
  const rest = cut === head ? headDocument(head) : cutJson(cut);
  return rest === undefined ? values : [...values, rest];
});
