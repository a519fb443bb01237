import { describe, expect, test } from 'vitest';
import { chainedHistory, chainedSession } from '../../bench/sessions.ts';
import { orphanResponses, pairCalls, unansweredCalls } from '../../src/content/calls/pairing.ts';
import { liveHistory } from '../../src/formats/contract.ts';
import { detectFormat, SESSION_FORMATS } from '../../src/formats/index.ts';
import { linesOf } from '../../src/formats/lines/lines.ts';

const WRITABLE = SESSION_FORMATS.filter(({ create }) => create !== undefined).map(({ name }) => name);

describe('a chained history', () => {
  const { entries, tokens } = chainedHistory({ tokens: 60_000, seed: 1 });

  test('has the tokens that were asked for and not many more', () => {
    expect(tokens).toBeGreaterThanOrEqual(60_000);
    expect(tokens).toBeLessThan(75_000);
  });

  test('answers every call and repeats no id', () => {
    const pairing = pairCalls(entries);
    expect([...unansweredCalls(pairing), ...orphanResponses(pairing)]).toEqual([]);
    const ids = [...entries.map(({ metadata }) => metadata?.id), ...pairing.calls.map(({ call }) => call.id)];
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('is the same for the same seed and another for another', () => {
    expect(chainedHistory({ tokens: 20_000, seed: 1 })).toEqual(chainedHistory({ tokens: 20_000, seed: 1 }));
    expect(chainedHistory({ tokens: 20_000, seed: 2 })).not.toEqual(chainedHistory({ tokens: 20_000, seed: 1 }));
  });
});

describe('a chained session', () => {
  test.each(WRITABLE)('in the format %s is read again by it, whole', (name) => {
    const bytes = Buffer.concat([...chainedSession(name, { tokens: 20_000, seed: 3 }).pieces]);
    const format = detectFormat(bytes.subarray(0, 256 * 1024).toString());
    expect(format.name).toBe(name);
    const session = format.read(linesOf(() => [bytes]));
    expect(session.skipped).toEqual([]);
    const pairing = pairCalls(liveHistory(session));
    expect(pairing.calls.length).toBeGreaterThan(1);
    expect([...unansweredCalls(pairing), ...orphanResponses(pairing)]).toEqual([]);
  });
});
