import { createRequire } from 'node:module';
import { isDeepJson } from '../../content/deep-json.ts';
import { parseJson } from '../lines/lines.ts';

const require = createRequire(import.meta.url);

/** Loaded for the first text with errors: most texts are whole, or only cut. */
const tolerantParser = (): typeof import('jsonc-parser') => require('jsonc-parser');

/** Brackets, commas and quotes, in a string also what is escaped. */
const SIGNS = /\\.|["[\]{},]/gs;
const CUT_ESCAPE = /\\(?:u[\da-f]{0,3})?$/i;

/** The object or list of a text; `undefined` if it is cut, not JSON, or more text follows. */
export function wholeJson(text: string): unknown {
  const trimmed = text.trim();
  const ends = `${trimmed[0]}${trimmed.at(-1)}`;
  // Prose or an indented document has thousands of lines, and an error for each would take most of the time.
  if (ends !== '{}' && ends !== '[]') return undefined;
  const parsed = parseJson(text);
  return parsed.kind === 'json' ? parsed.value : undefined;
}

/**
 * The object or list at the start of a text that may end anywhere: open brackets are closed, and of a cut value only a
 * string is kept. `undefined` if the text is not JSON. Linear; faster without errors.
 */
export function cutJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text) || isDeepJson(text)) return undefined;
  const open: string[] = [];
  let wholeUnits = 0;
  let isString = false;
  for (const { 0: sign, index } of text.matchAll(SIGNS)) {
    if (sign === '"') isString = !isString;
    if (isString || sign === '"' || sign.startsWith('\\')) continue;
    if (sign === '{' || sign === '[') open.push(sign === '{' ? '}' : ']');
    else if (sign !== ',') open.pop();
    wholeUnits = sign === ',' ? index : index + 1;
  }
  const whole = text.slice(0, wholeUnits);
  const rest = text.slice(wholeUnits);
  const ends = open.reverse().join('');
  for (const last of [`${rest}"`, `${rest.replace(CUT_ESCAPE, '')}"`, rest, '']) {
    const value = wholeJson(whole + last + ends);
    if (value !== undefined) return value;
  }
  // Ten times slower, but tolerates errors.
  return tolerantParser().parse(text, [], { disallowComments: true });
}
