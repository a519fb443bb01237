import { parse } from 'jsonc-parser';
import { parseJson } from './lines.js';
/** The value of a JSON text that may end anywhere: what is open at the end is closed. Undefined when it is no JSON. */
export function headDocument(head) {
    const first = head.trimStart()[0];
    return first === '{' || first === '[' ? parse(head, [], { disallowComments: true }) : undefined;
}
/**
 * The values of the lines of a JSONL text that may end anywhere, a last line that is cut included as far as it
 * goes; lines that are no JSON are left out.
 */
export function headLines(head) {
    const lines = head.split('\n');
    const last = lines.pop() ?? '';
    const values = lines.flatMap((line) => {
        const parsed = parseJson(line);
        return parsed.kind === 'json' ? [parsed.value] : [];
    });
    const rest = headDocument(last);
    return rest === undefined ? values : [...values, rest];
}
/** Whether a value is an object with fields, neither null nor a list. */
export function isRecord(value) {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
}
