import { expect, test } from 'vitest';
import { retryAfterMs } from '../../../src/providers/failures/retry-after.ts';

const NOW = Date.UTC(2026, 0, 5, 8);

test.each([
  [{ 'retry-after': '20' }, '', 20_000],
  [{ 'retry-after': '0.5' }, '', 500],
  [{ 'retry-after-ms': '1250', 'retry-after': '2' }, '', 1250],
  [{ 'retry-after': 'Mon, 05 Jan 2026 08:00:30 GMT' }, '', 30_000],
  [{ 'retry-after': 'Mon, 05 Jan 2026 07:00:00 GMT' }, '', 0],
  [{}, '{"details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"34.5s"}]}', 34_500],
  [{ 'retry-after': 'soon' }, '', undefined],
  [{ 'retry-after': '-3' }, '', undefined],
  [{}, '', undefined],
])('the pause in %j %j is %s ms', (headers: Readonly<Record<string, string>>, body, expected) => {
  expect(retryAfterMs(headers, body, () => NOW)).toBe(expected);
});
