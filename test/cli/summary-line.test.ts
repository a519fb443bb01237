import { expect, test } from 'vitest';
import { summaryLine } from '../../src/cli/commands/proxy/summary-line.ts';
import { Ledger } from '../../src/proxy/ledger/ledger.ts';
import { callOf } from '../proxy/live-calls.ts';

function lineOf(...prompts: readonly number[]): string {
  const ledger = new Ledger();
  const report = { sentTokens: 9_000, savedTokens: 5_000 };
  for (const [minute, prompt] of prompts.entries()) ledger.add(callOf({ minute, prompt, report }));
  return summaryLine(ledger.numbers(), false);
}

test('the end of a run says the time added only as the median of enough calls', () => {
  expect(lineOf(...Array.from({ length: 19 }, () => 9_000))).not.toContain('added');
  expect(lineOf(...Array.from({ length: 20 }, () => 9_000))).toMatch(/ · [\d.]+ ms added to a call$/);
});

test('the end of a run says that a number of tokens cannot be, and gives no share of it', () => {
  const line = lineOf(100, 100);
  expect(line).toContain(
    '2 calls report usage that cannot be: far more or far fewer tokens than the text that was sent has; it is not used',
  );
  expect(line).not.toContain('%');
  expect(lineOf(9_000, 100)).toMatch(
    /^2 calls · 9\.0k tokens sent \(0% from the cache\) .* · 1 call reports usage that cannot be/,
  );
  expect(lineOf(9_000)).not.toContain('cannot be');
});
