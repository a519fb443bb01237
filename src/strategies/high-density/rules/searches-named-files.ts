import type { ToolCallBlock } from '../../../content/content.ts';
import { jsonText } from '../../../content/json-text.ts';

const NAMED = /\b(?:grep|rg)\b.*\s[\w./-]+\.[a-z]{1,5}\b/;
/** A longer call is a script, of which the start says enough. */
const MOST_UNITS = 2000;
const RECURSIVE = /grep\s+-\w*[rR]/;

/** True if a call searches files that it names, such as `grep -n word src/a.ts`: its result shows lines of them, as a read does. */
export function searchesNamedFiles({ name, parameters }: ToolCallBlock): boolean {
  const text = `${name} ${[...jsonText(parameters)].join('')}`.slice(0, MOST_UNITS);
  return NAMED.test(text) && !RECURSIVE.test(text);
}
