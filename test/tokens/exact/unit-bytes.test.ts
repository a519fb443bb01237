import { expect, test } from 'vitest';
import { MAX_BYTES_PER_UNIT, writeUtf8 } from '../../../src/tokens/exact/unit-bytes.ts';
import { fuzzedText, randomFrom } from '../fuzzed-text.ts';

test('writeUtf8 writes what Buffer writes, lone surrogates included', () => {
  const random = randomFrom(2);
  for (let round = 0; round < 2000; round++) {
    const text = fuzzedText(random, 20);
    const units = Uint16Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
    const bytes = new Uint8Array(text.length * MAX_BYTES_PER_UNIT);
    const size = writeUtf8(units, 0, units.length, bytes);
    expect(Buffer.from(bytes.subarray(0, size))).toEqual(Buffer.from(text, 'utf8'));
  }
});
