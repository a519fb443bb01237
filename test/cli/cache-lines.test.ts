import { describe, expect, test } from 'vitest';
import { changeLine, marksLine, pausesLine } from '../../src/cli/commands/proxy/cache-lines.ts';
import type { LoggedCall } from '../../src/proxy/call-log.ts';
import { Ledger } from '../../src/proxy/ledger/ledger.ts';
import { callOf } from '../proxy/live-calls.ts';

function numbersOf(...calls: readonly LoggedCall[]) {
  const ledger = new Ledger();
  for (const call of calls) ledger.add({ ...call, model: 'claude-opus-5-5', isByKey: true });
  return ledger.numbers();
}

/** A long conversation, whose answers call tools, until this minute. */
const warm = (calls: number) =>
  Array.from({ length: calls }, (_, minute) =>
    callOf({ minute, prompt: 150_000, cached: minute === 0 ? 0 : 149_000, isToolWait: minute < calls - 1 }),
  );
const late = (minute: number, given: Parameters<typeof callOf>[0] = {}) =>
  callOf({ minute, prompt: 151_000, isToolWait: false, ...given });

describe('the end of a run', () => {
  test('says what pauses wrote again, and what pings would have saved', () => {
    expect(pausesLine(numbersOf(...warm(20), late(26), late(33)))).toEqual([
      '2 pauses wrote 301k tokens again, $1.51; `--keep-warm` would have saved about $1.38 with 2 pings (simulated)',
    ]);
  });

  test('promises no saving by pings where they would have been too late, with a plan, or where something changed', () => {
    const words = '1 pause wrote 150k tokens again, $0.75';
    expect(pausesLine(numbersOf(...warm(20), late(400)))[0]).toBe(words);
    const plan = new Ledger();
    for (const call of [...warm(20), late(26)]) plan.add({ ...call, model: 'claude-opus-5-5' });
    expect(pausesLine(plan.numbers())[0]).toBe(words);
    const changes = [{ kind: 'tools', what: '`Bash` was removed' } as const];
    expect(pausesLine(numbersOf(...warm(20), late(26, { report: { changes } })))[0]).toBe(words);
  });

  test('tells tool waits from pauses, and says nothing of cents', () => {
    const calls = warm(20).map((call) => ({ ...call, isToolWait: true }));
    expect(pausesLine(numbersOf(...calls, late(500), late(900)))[0]).toContain(
      '1 pause and 1 tool wait wrote 301k tokens again, $1.51',
    );
    expect(pausesLine(numbersOf(callOf({ prompt: 5_000 }), callOf({ minute: 9, prompt: 5_000 })))).toEqual([]);
  });

  test('names the change that cost more than all others', () => {
    const tools = [{ kind: 'tools', what: '`mcp__github` changed its description' } as const];
    const system = [{ kind: 'system', what: 'the system prompt changed', where: 'at line 3' } as const];
    const call = (minute: number, changes?: typeof tools | typeof system) =>
      callOf({
        minute,
        prompt: 92_000,
        cached: changes || minute === 0 ? 0 : 92_000,
        ...(changes && { report: { changes } }),
      });
    expect(changeLine(numbersOf(call(0), call(1, tools), call(2), call(3, tools)))).toEqual([
      '`mcp__github` changed its description twice: 184k tokens written again, $0.92',
    ]);
    expect(changeLine(numbersOf(call(0), call(1, tools), call(2, system)))).toEqual([]);
    expect(changeLine(numbersOf(call(0), call(1)))).toEqual([]);
  });

  test('says what marks would have saved where the history is billed in full with each call, and nothing where it is marked', () => {
    const unmarked = (minute: number) => {
      const [promptTokens, cachedTokens] = [100_000 + 1_000 * minute, minute === 0 ? 0 : 20_000];
      const usage = { promptTokens, cachedTokens, writtenTokens: 0, writtenHourTokens: 0, outputTokens: 0 };
      return { ...callOf({ minute }), usage };
    };
    const calls = [0, 1, 2].map(unmarked);
    // 80k and 81k are read again for 0.20 instead of 4 dollars a million; 100k, 1k and 1k are written for 5.
    const saved = ((80_000 + 81_000) * 3.8 - 102_000) / 1e6;
    expect(marksLine(numbersOf(...calls))).toEqual([
      `the agent marks no history for the cache; \`--cache-marks\` would have saved about $${saved.toFixed(2)} (simulated)`,
    ]);
    expect(marksLine(numbersOf(calls[0]!))).toEqual([]);
    expect(marksLine(numbersOf(...warm(20), late(26)))).toEqual([]);
    expect(numbersOf(calls[0]!, { ...unmarked(10) }).marksDollars).toBeLessThan(0);
  });
});
