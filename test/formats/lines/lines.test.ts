import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decode, joinLines, linesOf, parseLine } from '../../../src/formats/lines/lines.ts';
import { runs } from '../../property-runs.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('linesOf', () => {
  test('cuts after byte 10 only, whatever the chunks, and loses no byte', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ max: 14 })), (chunks) => {
        const lines = [...linesOf(() => chunks)];
        expect(joinLines(lines)).toEqual(joinLines(chunks));
        expect(joinLines(linesOf(() => chunks))).toEqual(joinLines(chunks));
        expect(lines.filter((line) => line.length === 0 || line.subarray(0, -1).includes(10))).toEqual([]);
        expect(lines.slice(0, -1).filter((line) => line.at(-1) !== 10)).toEqual([]);
      }),
      { numRuns: runs(1000) },
    );
  });

  test('starts again at every pass', () => {
    const lines = linesOf(() => [bytesOf('a\nb')]);
    expect([...lines]).toEqual([...lines]);
    expect([...lines].length).toBe(2);
  });
});

describe('decode', () => {
  const long = '{"a": "plain"} '.repeat(1 << 17);

  test.each([
    ['ASCII', bytesOf(long)],
    ['a byte order mark and every length of character', bytesOf(`\ufeff${long}é漢😀`)],
    ['bytes that are not UTF-8', new Uint8Array([...bytesOf(`${long}é`), 0xff, 0xed, 0xa0, 0x80, 0xc3])],
  ])('reads long texts as it reads short ones: %s', (_, bytes) => {
    expect(bytes.length).toBeGreaterThan(1 << 20);
    expect(decode(bytes) === new TextDecoder().decode(bytes)).toBe(true);
  });
});

describe('parseLine', () => {
  test('takes CRLF and a byte order mark for white space, and says why a line is broken', () => {
    expect(parseLine(bytesOf('\ufeff{"a":1}\r\n'))).toEqual({ kind: 'json', value: { a: 1 } });
    expect(parseLine(bytesOf('\r\n'))).toEqual({ kind: 'blank' });
    expect(parseLine(bytesOf('{"a":'))).toEqual({ kind: 'broken', reason: expect.stringMatching(/^not valid JSON: /) });
  });
});
