import { expect, test } from 'vitest';
import { sumOfWorths, type Worth, worthLine } from '../../src/report/worth-words.ts';

const worth: Worth = {
  tokensSentRaw: 1000,
  tokensSent: 370,
  dollarsRaw: 2,
  dollars: 1,
  evidencedEdits: 23,
  regrettedEdits: 0,
  otherRegrets: 0,
  unpriced: 0,
  sessions: 1,
  isWholePrompt: true,
};

test('the line says that tokens are those of whole prompts where a provider counted them', () => {
  expect(worthLine(worth)).toBe('−63% tokens of whole prompts, $1.00 less, 0 of 23 edits needed it');
  const counted = { ...worth, isWholePrompt: false };
  expect(worthLine(counted)).toBe('−63% tokens, $1.00 less, 0 of 23 edits needed it');
  expect(worthLine(sumOfWorths([counted, worth]))).toContain('−63% tokens of whole prompts, ');
  expect(worthLine(sumOfWorths([counted, counted]))).toContain('−63% tokens, ');
});
