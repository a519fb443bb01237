import { expect, test } from 'vitest';
import { CompressionStrategyError } from '../../../src/errors.ts';
import { readDocument } from '../../../src/formats/json/json-file.ts';
import { linesOfText } from '../../../src/formats/lines/lines.ts';

const failure = (text: string): CompressionStrategyError => {
  try {
    readDocument(linesOfText(text), 'a list');
  } catch (error) {
    if (error instanceof CompressionStrategyError) return error;
  }
  throw new Error('read');
};

test('returns the value of a file and its unchanged bytes', () => {
  const { bytes, value } = readDocument(linesOfText('\ufeff[1,\r\n 2]\n'), 'a list');
  expect(value).toEqual([1, 2]);
  expect(bytes).toEqual(new TextEncoder().encode('\ufeff[1,\r\n 2]\n'));
});

test('says how much there was of a file that is empty or cut, and where it breaks', () => {
  expect(failure('[1,\n 2').message).toMatch(
    /^Expected a list as one JSON document, got 6 bytes in 2 lines, no JSON \(.*position 6/,
  );
  expect(failure('[1, x]').message).toMatch(/Unexpected token 'x'/);
  expect(failure(' \n').message).toMatch(/got an empty file/);
  expect(failure('').code).toBe('SESSION_UNREADABLE');
});
