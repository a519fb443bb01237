import { createRequire } from 'node:module';
import { parseJson } from '../lines/lines.ts';

const require = createRequire(import.meta.url);

/** Loaded for the first text with errors in it: most are whole, or only cut. */
const tolerantParser = (): typeof import('jsonc-parser') => require('jsonc-parser');

/** A string, whose end may be cut off, and what opens, parts and closes outside of strings. */
const SIGNS = /"[^"\\]*(?:\\.[^"\\]*)*"?|[[\]{},]/gs;
const CUT_ESCAPE = /\\(?:u[\da-f]{0,3})?$/i;

/** The object or list that a text is; undefined where it is cut, goes on behind it, or is no JSON. */
export function wholeJson(text: string): unknown {
  const trimmed = text.trim();
  const ends = `${trimmed[0]}${trimmed.at(-1)}`;
  // Thousands of lines of prose or of an indented document: an error for each takes longer than all else.
  if (ends !== '{}' && ends !== '[]') return undefined;
  const parsed = parseJson(text);
  return parsed.kind === 'json' ? parsed.value : undefined;
}

/**
 * The object or list that starts a text which may end anywhere: what is open at the end is closed, and of what is cut
 * there only a value that is a string is kept. Undefined when it is no JSON. Linear, and the faster the fewer errors.
 */
export function cutJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  const open: string[] = [];
  let wholeUnits = 0;
  for (const { 0: sign, index } of text.matchAll(SIGNS)) {
    if (sign.startsWith('"')) continue;
    if (sign === '{' || sign === '[') open.push(sign === '{' ? '}' : ']');
    else if (sign !== ',') open.pop();
    wholeUnits = sign === ',' ? index : index + 1;
  }
  const [whole, rest] = [text.slice(0, wholeUnits), text.slice(wholeUnits)];
  const ends = open.reverse().join('');
  for (const last of [`${rest}"`, `${rest.replace(CUT_ESCAPE, '')}"`, rest, '']) {
    const value = wholeJson(whole + last + ends);
    if (value !== undefined) return value;
  }
  // Ten times slower, but not held up by errors.
  return tolerantParser().parse(text, [], { disallowComments: true });
}
