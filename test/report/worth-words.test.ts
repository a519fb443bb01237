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
  expect(worthLine(worth)).toBe(
    '−50.0% of the bill ($1.00 less), −63% tokens of all calls together (whole prompts), 0 of 23 edits needed it',
  );
  const counted = { ...worth, isWholePrompt: false };
  expect(worthLine(counted)).toBe(
    '−50.0% of the bill ($1.00 less), −63% tokens of all calls together, 0 of 23 edits needed it',
  );
  expect(worthLine(sumOfWorths([counted, worth]))).toContain('−63% tokens of all calls together (whole prompts), ');
  expect(worthLine(sumOfWorths([counted, counted]))).toContain('−63% tokens of all calls together, ');
});
