import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lineHashes } from '../../../../src/content/lines/line-hash.ts';
import { cutLines, cutNoteOf, cutRuns } from '../../../../src/strategies/high-density/lines/cut-lines.ts';
import {
  withAllNumbers,
  withChangedLines,
  withTenthNumbers,
} from '../../../../src/strategies/high-density/repeated-lines/tenth-numbers.ts';
import { textLines } from '../../../../src/strategies/high-density/repeated-lines/text-lines.ts';
import { runs } from '../../../property-runs.ts';

/** As `nl -ba`, `cat -n`, Claude Code and `nl -nrz` number lines. */
const STYLES: readonly ((number: number) => string)[] = [
  (number) => `${String(number).padStart(6)}\t`,
  (number) => `${number}\t`,
  (number) => `${String(number).padStart(6, '0')}\t`,
];
const style = fc.constantFrom(...STYLES);
const line = fc.oneof(
  fc.constantFrom('', '\t', '\tindented', '  const a = 1;', '}', 'a\tb', '\r'),
  fc.nat(40).map((number) => `${number}\tof a table`),
  fc.nat(40).map((number) => `\t${number}\tof a table`),
);
const file = fc.array(line, { minLength: 1, maxLength: 60 });
const start = fc.oneof(fc.constant(1), fc.nat(120));
const numbered = (lines: readonly string[], from: number, before: (number: number) => string): string[] =>
  lines.map((one, at) => before(from + at) + one);

const NOTE = '⟦density: 4 lines as shown above by Read a.ts #x⟧';
const around = fc.constantFrom([], ['Output:'], ['', '<system-reminder>', '\tlines of a reminder'], ['7\tone number']);

describe('the form with tenth numbers', () => {
  test('has the first number, every tenth, and the first after a gap; the tab before a line stays', () => {
    const lines = numbered(
      Array.from({ length: 15 }, (_, at) => (at === 2 ? '' : `\tline ${at}`)),
      8,
      STYLES[1]!,
    );
    lines.splice(4, 1, NOTE);
    expect(withTenthNumbers(lines.join('\n')).split('\n')).toEqual([
      '8\t\tline 0',
      '\t\tline 1',
      '10\t',
      '\t\tline 3',
      NOTE,
      '13\t\tline 5',
      ...Array.from({ length: 6 }, (_, at) => `\t\tline ${6 + at}`),
      '20\t\tline 12',
      '\t\tline 13',
      '\t\tline 14',
    ]);
  });

  test('is never larger, is made once, and gives back every byte', () => {
    let shaped = 0;
    fc.assert(
      fc.property(file, start, style, around, around, (lines, from, before, above, below) => {
        const text = [...above, ...numbered(lines, from, before), ...below].join('\n');
        const form = withTenthNumbers(text);
        expect(form.length).toBeLessThanOrEqual(text.length);
        expect(withTenthNumbers(form)).toBe(form);
        if (form === text) return;
        shaped++;
        expect(withAllNumbers(form)).toBe(text);
        for (const one of lines.slice(1)) expect(form).toContain(`\t${one}`);
      }),
      { numRuns: runs(2000) },
    );
    expect(shaped).toBeGreaterThan(runs(500));
  });

  test('is not given to numbers with another sign behind them, to a list whose lines have no tab, or to a few lines', () => {
    const words = Array.from({ length: 40 }, (_, at) => `word ${at}`);
    for (const sign of ['→', ': ', '| ', ' '])
      expect(withTenthNumbers(words.map((word, at) => `${at + 1}${sign}${word}`).join('\n'))).not.toContain('\n\t');
    const few = numbered(words.slice(0, 9), 1, STYLES[0]!).join('\n');
    expect(withTenthNumbers(few)).toBe(few);
  });

  test('is not seen in a text that has tabs of its own', () => {
    for (const text of ['5\tfoo\n\tbar\n\tbaz', '8\ta\n9\tb\n10\tc\n\td\n\te', '3\ta\n\tb\n12\tc', '\t1\ta\n\t2\tb'])
      expect(withAllNumbers(text)).toBe(text);
  });

  test('gives each line its number, and the same line as the text with all numbers', () => {
    fc.assert(
      fc.property(file, start, style, (lines, from, before) => {
        const text = numbered(lines, from, before).join('\n');
        const [whole] = textLines({}, () => [text]);
        const [form] = textLines({}, () => [withTenthNumbers(text)]);
        expect(form!.count).toBe(whole!.count);
        for (let at = 0; at < lines.length; at++) {
          expect(form!.numberOf(at)).toBe(whole!.numberOf(at));
          expect(form!.hashOf(at)).toBe(whole!.hashOf(at));
          expect(form!.text.slice(form!.plainStartOf(at), form!.endOf(at))).toBe(
            whole!.text.slice(whole!.plainStartOf(at), whole!.endOf(at)),
          );
        }
      }),
      { numRuns: runs(1000) },
    );
  });

  test('has a number after lines that a rule cuts', () => {
    const words = Array.from({ length: 30 }, (_, at) => `\tline ${at + 1} of the file`);
    const cut = (kept: readonly number[], result: string): string => {
      const hashes = new Set(words.flatMap((word, at) => (kept.includes(at + 1) ? [] : lineHashes([word]))));
      const settled = { settles: (hash: number) => hashes.has(hash) };
      const response = { type: 'tool_response', callId: '1', toolName: 'Read', result } as const;
      return cutLines(response, { runs: cutRuns(lineHashes(words), settled), settled }).text;
    };
    const form = withTenthNumbers(numbered(words, 1, STYLES[1]!).join('\n'));
    const first = cut([1, 2, 3, 8, 9, 10, 11, 12, 21, 22], form);
    expect(first.split('\n')).toEqual([
      '1\t\tline 1 of the file',
      '2\t\tline 2 of the file',
      '3\t\tline 3 of the file',
      cutNoteOf(4),
      '8\t\tline 8 of the file',
      '\t\tline 9 of the file',
      '10\t\tline 10 of the file',
      '\t\tline 11 of the file',
      '\t\tline 12 of the file',
      cutNoteOf(8),
      '21\t\tline 21 of the file',
      '22\t\tline 22 of the file',
      cutNoteOf(8),
    ]);
    expect(cut([12, 21, 22], first).split('\n')).toEqual([
      cutNoteOf(11),
      '12\t\tline 12 of the file',
      cutNoteOf(8),
      '21\t\tline 21 of the file',
      '22\t\tline 22 of the file',
      cutNoteOf(8),
    ]);
  });

  test('loses no number where lines of it are removed, again and again, or put back', () => {
    let shaped = 0;
    const cuts = fc.array(fc.tuple(fc.nat(60), fc.integer({ min: 1, max: 15 })), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(file, start, style, cuts, (lines, from, before, places) => {
        const all = numbered(lines, from, before);
        let form = withTenthNumbers(all.join('\n'));
        if (form === all.join('\n')) return;
        shaped++;
        let left = all.join('\n');
        let removed: readonly string[] = [];
        let place = 0;
        for (const [at, count] of places) {
          const change = (text: string): string => {
            const now = text.split('\n');
            place = Math.min(at, now.length);
            removed = now.slice(at, at + count);
            return now.toSpliced(at, count, NOTE).join('\n');
          };
          left = change(left);
          form = withChangedLines(form, change);
          expect(withAllNumbers(form)).toBe(left);
        }
        // Lines that are put back have all numbers.
        const put = (text: string): string =>
          text
            .split('\n')
            .toSpliced(place, 1, ...removed)
            .join('\n');
        expect(withAllNumbers(put(form))).toBe(put(left));
      }),
      { numRuns: runs(2000) },
    );
    expect(shaped).toBeGreaterThan(runs(500));
  });
});
