import { describe, expect, test } from 'vitest';
import { detectFormat, formatNamed, formatOfLine, SESSION_FORMATS } from '../../src/formats/index.ts';
import { formatContract } from '../contracts/format.ts';
import { SAMPLES } from './samples.ts';

describe('the list of formats', () => {
  test('has a sample for every member, and no other', () => {
    expect(Object.keys(SAMPLES).sort()).toEqual(SESSION_FORMATS.map(({ name }) => name).sort());
  });

  test('gives a format by its name', () => {
    for (const format of SESSION_FORMATS) expect(formatNamed(format.name)).toBe(format);
  });

  test('says how to force a format and where they are when it knows none', () => {
    expect(() => detectFormat('Dear reader,')).toThrow(/"Dear reader,".*--format <name>.*docs\/formats\.md/);
    expect(() => detectFormat(' \n')).toThrow(/an empty file/);
    expect(() => formatNamed('claude')).toThrow(/high-density.*"claude"/);
  });

  test('detects a file of lines by its first line only, and any other file by the whole file', () => {
    for (const [name, { shape, texts }] of Object.entries(SAMPLES)) {
      for (const text of texts) {
        const found = formatOfLine(text.slice(0, text.indexOf('\n') + 1) || text)?.name;
        expect(found ?? name).toBe(name);
        if (shape === 'lines' && name !== 'aider') expect(found).toBe(name);
      }
    }
  });

  test('detects nothing by a line that is cut, or could be of several formats', () => {
    const header = '{"format":"high-density","type":"session","id":"one","cwd":"/repo"}\n';
    expect(formatOfLine('{"format":"high-density","version":')).toBeUndefined();
    expect(formatOfLine('{"a":1}\n')).toBeUndefined();
    expect(formatOfLine(header)).toBeUndefined();
    expect(() => detectFormat(header)).toThrow(/may be pi or high-density/);
  });
});

for (const format of SESSION_FORMATS) {
  const others = Object.entries(SAMPLES).filter(([name]) => name !== format.name);
  const sample = SAMPLES[format.name];
  if (sample)
    formatContract(
      format,
      sample,
      others.flatMap(([, { texts }]) => texts),
    );
}
