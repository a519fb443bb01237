import { parse } from 'jsonc-parser';
import { parseJson } from './lines.ts';

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

/** The value of a JSON text that may end anywhere: what is open at the end is closed. Undefined when it is no JSON. */
export const headDocument: (head: string) => unknown = keepingLatest(documentIn);

/**
 * The objects and lists in the lines of a JSONL text that may end anywhere, a last line that is cut included as far as
 * it goes; lines that are no JSON are left out.
 */
export const headLines: (head: string) => readonly unknown[] = keepingLatest(linesIn);

function documentIn(head: string): unknown {
  const first = head.trimStart()[0];
  if (first !== '{' && first !== '[') return undefined;
  // Most heads are a whole document or begin with a whole line: the parser that closes what is open is ten times slower.
  const lineEnd = head.indexOf('\n');
  for (const whole of lineEnd === -1 ? [head] : [head, head.slice(0, lineEnd)]) {
    const parsed = parseJson(whole);
    if (parsed.kind === 'json') return parsed.value;
  }
  return parse(head, [], { disallowComments: true });
}

function linesIn(head: string): readonly unknown[] {
  const lines = head.split('\n');
  const last = lines.pop() ?? '';
  const values = lines.flatMap((line) => {
    // Thousands of lines of prose or of an indented document: an error for each takes longer than all else.
    if (!/^\s*[[{].*[\]}]\s*$/.test(line)) return [];
    const parsed = parseJson(line);
    return parsed.kind === 'json' ? [parsed.value] : [];
  });
  const rest = documentIn(values.length === 0 ? last : last.slice(0, CUT_LINE_UNITS));
  return rest === undefined ? values : [...values, rest];
}
