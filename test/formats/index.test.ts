import { describe, expect, test } from 'vitest';
import { detectFormat, formatNamed, SESSION_FORMATS } from '../../src/formats/index.ts';
import { formatContract } from '../contracts/format.ts';
import { SAMPLES } from './samples.ts';

describe('the list of formats', () => {
  test('has a sample for every member, and no other', () => {
    expect(Object.keys(SAMPLES).sort()).toEqual(SESSION_FORMATS.map(({ name }) => name).sort());
  });

  test('gives a format by its name', () => {
    for (const format of SESSION_FORMATS) expect(formatNamed(format.name)).toBe(format);
  });

  test('names the known formats and how to force one when it knows none', () => {
    expect(() => detectFormat('Dear reader,')).toThrow(/high-density.*"Dear reader,".*--format/);
    expect(() => detectFormat(' \n')).toThrow(/an empty file/);
    expect(() => formatNamed('claude')).toThrow(/high-density.*"claude"/);
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
