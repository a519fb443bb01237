import { expect, test } from 'vitest';
import type { LoggedCall } from '../../../src/proxy/call-log.ts';
import { ownPauses } from '../../../src/proxy/warm/own-pauses.ts';
import { callOf, MINUTE_MS } from '../live-calls.ts';

async function* logged(...calls: readonly LoggedCall[]): AsyncGenerator<LoggedCall> {
  yield* calls;
}

test('a pause lasts from the start of a call to the start of the next one of its conversation', async () => {
  const calls = logged(
    callOf({ minute: 1, tookMs: MINUTE_MS, isToolWait: true }),
    callOf({ minute: 2, report: { conversation: 'other' }, isToolWait: true }),
    callOf({ minute: 5, report: { isPing: true } }),
    callOf({ minute: 6, isCount: true, isToolWait: false }),
    callOf({ minute: 7, tookMs: MINUTE_MS, isToolWait: false }),
    callOf({ minute: 8, status: 429, isToolWait: false }),
    callOf({ minute: 30, isToolWait: false }),
    callOf({ minute: 31 }),
  );
  const pauses = [];
  for await (const pause of ownPauses(calls)) pauses.push(pause);
  expect(pauses).toEqual([
    { wait: 'toolWait', idleMs: 6 * MINUTE_MS },
    { wait: 'pause', idleMs: 24 * MINUTE_MS },
  ]);
});
