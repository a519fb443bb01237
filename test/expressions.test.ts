import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { keptPlaces } from './expressions/kept-places.ts';
import { slowness } from './expressions/slow-paths.ts';
import { expressionsIn, type SourceExpression, sourceExpressions } from './expressions/source-expressions.ts';

const known = new Map<string, string | undefined>();

/** Why an expression may need more than linear time, or too much room; an expression that is built later is not known to be linear. */
function reasonOf({ source, flags }: SourceExpression): string | undefined {
  if (source === undefined) return 'built while the program runs';
  const key = `/${source}/${flags}`;
  if (!known.has(key)) known.set(key, keptPlaces(source, flags) ?? slowness(source, flags));
  return known.get(key);
}

const slowIn = (expressions: readonly SourceExpression[]): string[] =>
  expressions.flatMap((one) => {
    const reason = one.bound === undefined ? reasonOf(one) : undefined;
    return reason ? [`${one.file}:${one.line} ${reason}`] : [];
  });

describe('regular expressions see text that others wrote, and nothing can interrupt them', async () => {
  const expressions = await sourceExpressions((file) => import(pathToFileURL(file).href));

  test('each takes linear time and little room, or a comment says what bounds its text', () => {
    expect(slowIn(expressions)).toEqual([]);
  });

  test('no comment names a bound where none is needed', () => {
    const needless = expressions.filter((one) => one.bound !== undefined && !reasonOf(one));
    expect(needless).toEqual([]);
  });
});

/** Each of these stopped the proxy, a hook or a replay for seconds or for good. */
const SLOW: readonly RegExp[] = [
  /^Success\. Updated the following files:\n(?:[AMD] .*\n?)+$/,
  /^\S+::\S+.*\bPASSED\b/,
  /^\s*Passed\s+\S.*\[[<\d].*\]$/,
  /^\s*(?:Tests?:?\s+(?:\d+ \w+, )*\d+ passed\b|\d+ passing\b)/m,
  /^(?:npm|pnpm|yarn|bun)(?: -\S+| --?\S+ \S+)* (?:run )?(?:t|test)(?:\s|$)/,
  /\\+(?:u([0-9a-f]{4})|[nrt])/gi,
  /⟦density: [^⟧\n]* left out(?:; [^⟧\n]*)?⟧/,
  /\bgit\b[^|]*\s(?:diff|show|blame)\b.*[\s:][\w./-]+\.[a-z]{1,5}\b/,
  /\s*\n\s*/g,
  /\n<result>([\s\S]*)<\/result>/,
  /^ {0,3}(`{3,}|~{3,})[ \t]*([^\s`]*)[^\n]*\n/,
  /^(a*)*b/,
  /^(?:a|a)*b/,
  /^a{0,9}(?:x+x+)+y/,
  /^(\w+)\s*=(?=.*;).*\1.*\1;/,
  /^(?=(?:a|aa)+$)/,
  /a.{0,200}b/,
  /(?:a*b)?/g,
];

const LINEAR: readonly RegExp[] = [
  /\s+/g,
  /\bcat\b/,
  /\b\w+:/g,
  /^[ \t]*\d+\t/gm,
  /^[ \t]*at .*$/m,
  /(?<![\w.-])[\w-]{4,}(?=(?:\.[\w-]+)*\.\w{1,5}\b)/g,
  /(?<![\w.-])[\w.-]+(?![\w.-])/g,
  /^(["'])[^"'\n]*\1/,
  /"(?:[^"\\]|\\.)*"/y,
  /^(?:[AMD] [^\n]*\n)+$/,
  /^(?:(?!-----)[^x])+x/,
  /a.{0,20}b/,
];

test.for(SLOW)('%s is found where it stands in code', (slow) => {
  const [one, ...others] = expressionsIn('src/one.ts', `const line = 1;\nconst ONE = ${slow};`);
  expect(others).toEqual([]);
  expect(one).toMatchObject({ file: 'src/one.ts', line: 2, source: slow.source, flags: slow.flags });
  expect(slowness(slow.source, slow.flags)).toMatch(/^(?:exponential|polynomial): /);
  expect(slowIn([one!])).toHaveLength(1);
});

/** Each threw "Maximum call stack size exceeded" for 20 MB of text. */
const KEEPING: readonly RegExp[] = [
  /^(?:[^\S\n]*\n)*/,
  /"[^"\\]*(?:\\.[^"\\]*)*"?|[[\]{},]/gs,
  /(?:[^\S\n]|`\r?\n)+/y,
  /(?<![\w+=.~-])[\w+=.~-]{6,}…/g,
  /^data:([^;,]+);(?:[^;,]*;)*base64,/,
];

test.for(KEEPING)('%s is found where it stands in code', (keeping) => {
  expect(slowIn(expressionsIn('src/one.ts', `const ONE = ${keeping};`))).toEqual([
    expect.stringMatching(/^src\/one\.ts:1 keeps a place for each repetition of /),
  ]);
});

test.for([/a*b/, /a{3,}b/, /(?:ab)*?c/, /(?:ab){0,1000}c/, /a{4}a*b/])('%s keeps few places', ({ source, flags }) => {
  expect(keptPlaces(source, flags)).toBeUndefined();
});

test.for(LINEAR)('%s is linear', ({ source, flags }) => {
  expect(slowness(source, flags)).toBeUndefined();
});

test('a comment above an expression, or beside it, says what bounds its text', () => {
  const code =
    '// Bounded text: a name of ours.\nconst ONE = /a+b/;\nconst TWO = /a+b/; // Bounded text: at most 9 letters.\nconst THREE = /a+b/;';
  expect(slowIn(expressionsIn('src/one.ts', code))).toEqual([expect.stringMatching(/^src\/one\.ts:4 /)]);
});

test('an expression that no file builds while it loads counts as slow', () => {
  expect(slowIn(expressionsIn('src/one.ts', 'const of = (text: string) => new RegExp(text);'))).toEqual([
    'src/one.ts:1 built while the program runs',
  ]);
});
