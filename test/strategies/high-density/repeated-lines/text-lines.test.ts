import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lineHash } from '../../../../src/content/lines/line-hash.ts';
import { noteOf } from '../../../../src/strategies/high-density/repeated-lines/line-notes.ts';
import { textLines } from '../../../../src/strategies/high-density/repeated-lines/text-lines.ts';
import { runs } from '../../../property-runs.ts';

/** A line number that a tool wrote before a line, with nothing of the indentation after it. */
const NUMBER = /^\s*L?(\d{1,9})(?:→|\t|: ?| ?\| ?)/;
const NOTE = /^(?:⟦density: .*⟧|\[\d+ lines(?:, \d+ to \d+,)? as shown above by .*\])$/;

/** The lines as they are described, without care for the time. */
function plainLines(text: string): unknown {
  const lines = text.split('\n');
  const written = lines.map((line) => NUMBER.exec(line)?.[1]).map((found) => (found ? Number(found) : undefined));
  const numbers = written.map((own, at) =>
    own !== undefined && (written[at - 1] === own - 1 || written[at + 1] === own + 1) ? own : undefined,
  );
  const plain = lines.map((line, at) => (numbers[at] === undefined ? line : line.replace(NUMBER, '')).trimEnd());
  // A marker may have a number of its own.
  const isMarked = lines.map((line) => NOTE.test(line.replace(NUMBER, '').trimEnd()));
  const starts = [0, ...lines.map((_, at) => lines.slice(0, at + 1).join('\n').length + 1)];
  return {
    text,
    at: 0,
    starts,
    plainStarts: lines.map((line, at) => starts[at]! + (numbers[at] === undefined ? 0 : NUMBER.exec(line)![0].length)),
    hashes: plain.map((line, at) => (isMarked[at] ? Number.NaN : lineHash(line))),
    numbers,
    isLandmark: plain.map((line, at) => !isMarked[at] && line.trimStart().length >= 4),
  };
}

const NOTED = noteOf(
  { hashOf: () => 0, signedHashOf: () => 0, numberOf: () => undefined },
  { first: 0, last: 8 },
  { label: 'Read a.ts', start: 'x' },
);
const line = fc
  .tuple(
    fc.constantFrom('', '', ' ', '\t ', '\u00a0', 'L', ' L', '-'),
    fc.constantFrom('', '', '1', '2', '3', '4', '12', '0013', '9'.repeat(16), '9'.repeat(17)),
    fc.constantFrom('', '\t', '→', ':', ': ', ':  ', '|', ' |', ' | ', '  | ', '| ', ' ', ' →'),
    fc.constantFrom('', 'ab', 'abcd', '  abc', '  some code();', '7\tx', '[x]', NOTED, 'ä“\ud800'),
    fc.constantFrom('', '', ' ', '\r', '\u2028', '\ufeff\t'),
  )
  .map((parts) => parts.join(''));

test('lines, their numbers and their hashes are those that expressions find', () => {
  const seen = { numbers: 0, notes: 0 };
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 8 }), (all) => {
      const text = all.join('\n');
      const [found] = textLines({}, () => [text]);
      const lines = found!;
      const at = Array.from({ length: lines.count }, (_, line) => line);
      expect({
        text: lines.text,
        at: lines.at,
        starts: [...at.map((line) => lines.startOf(line)), lines.endOf(lines.count - 1) + 1],
        plainStarts: at.map((line) => lines.plainStartOf(line)),
        hashes: at.map((line) => (lines.isMarked(line) ? Number.NaN : lines.hashOf(line))),
        numbers: at.map((line) => lines.numberOf(line)),
        isLandmark: at.map((line) => lines.isLandmark(line)),
      }).toEqual(plainLines(text));
      if (at.some((line) => lines.numberOf(line) !== undefined)) seen.numbers++;
      if (at.some((line) => lines.isMarked(line))) seen.notes++;
    }),
    { numRuns: runs(5000) },
  );
  expect(Math.min(seen.numbers, seen.notes)).toBeGreaterThan(runs(20));
});
