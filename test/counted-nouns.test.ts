import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const SRC = path.resolve(import.meta.dirname, '../src');

/** Texts whose words are given, or whose number is never 1. */
const OTHER_TEXTS: Readonly<Record<string, string>> = {
  'strategies/high-density/lines/cut-lines.ts': 'a marker that is read again; it stands for four lines at least',
  'strategies/high-density/repeated-lines/line-notes.ts': 'a marker that is read again; it stands for several lines',
  'strategies/high-density/summary.ts': 'the words of REQ-HD-008; one line is not counted',
  'strategies/high-density/rules/recency.ts': 'has another sentence for 1',
  'settings/profile-store.ts': 'a verb',
  'settings/sources.ts': 'a verb',
  'strict-provider/apis/anthropic-answer.ts': 'the words of the provider',
};
/** A constant, which is not 1; a share; what has a text in it, as `counted` has. */
const NO_COUNT = /^[A-Z][A-Z_\d]*(?: \/ 1000)?$|^(?:percent|share)\(|'/;
/** A number, perhaps one more word, and a noun in the plural. */
const COUNTED = /\$\{([^{}]+)\} (?:(?:more|other|older|earlier|smaller|cached|recorded|model|token) )?([a-z]+s)\b/g;

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => ({ file: file.replaceAll(path.sep, '/'), text: readFileSync(path.join(SRC, file), 'utf8') }));

test('a text counts things by `counted`, which knows that one is no plural', () => {
  const words = files.flatMap(({ text }) => [...text.matchAll(/\bcounted\(.*?, '([a-z ]+)'(?:, '([a-z ]+)')?\)/g)]);
  const nouns = new Set(words.map(([, one = '', many = `${one}s`]) => many.split(' ').at(-1)));
  expect([...nouns]).toEqual(expect.arrayContaining(['tokens', 'calls', 'entries', 'lines', 'bytes', 'days']));
  const wrong = files.flatMap(({ file, text }) =>
    [...text.matchAll(COUNTED)]
      .filter(([, value = '', noun = '']) => nouns.has(noun) && !NO_COUNT.test(value))
      .map(([found]) => ({ file, found })),
  );
  expect(wrong.filter(({ file }) => OTHER_TEXTS[file] === undefined)).toEqual([]);
  expect(Object.keys(OTHER_TEXTS).filter((file) => !wrong.some((one) => one.file === file))).toEqual([]);
});
