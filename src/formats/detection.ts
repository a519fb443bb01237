import { parse } from 'jsonc-parser';
import { parseJson } from './lines.ts';

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
  return first === '{' || first === '[' ? parse(head, [], { disallowComments: true }) : undefined;
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
  const rest = documentIn(last);
  return rest === undefined ? values : [...values, rest];
}

/** Whether a value is an object with fields, neither null nor a list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
