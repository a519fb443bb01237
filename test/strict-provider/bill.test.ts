import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { asCount, isRecord } from '../../src/content/foreign-value.ts';
import { billOf } from '../../src/strict-provider/meter.ts';
import { realSession } from '../real-sessions.ts';

/** Sessions of pi, which records what each call cost. */
const SESSIONS = [
  'pi/pi-mono__large-session.jsonl',
  'pi/pi.dev__019da8da-cde0-709d-ad4b-826380bdd140.jsonl',
  'pi/pi.dev__019dbe19-ca83-74b3-b3ca-230160eb3875.jsonl',
].flatMap((file) => realSession(file) ?? []);

const tokens = { uncached: 0, read: 0, written: 0, writtenForAnHour: 0, output: 0 };

describe('the bill', () => {
  test('of each kind of token', () => {
    expect(
      billOf('claude-opus-5-5', { uncached: 1e5, read: 1e5, written: 1e5, writtenForAnHour: 1e5, output: 1e5 }),
    ).toBeCloseTo(0.4 + 0.02 + 0.5 + 0.8 + 2, 9);
  });

  test('is higher for the whole request above a tier', () => {
    expect(billOf('gpt-5.5', { ...tokens, read: 271_999, output: 1000 })).toBeCloseTo(0.136 + 0.03, 5);
    expect(billOf('gpt-5.5', { ...tokens, read: 272_000, output: 1000 })).toBeCloseTo(0.272 + 0.045, 4);
  });

  test('is unknown without a price', () => {
    expect(billOf('claude-fable-5-3', tokens)).toBeUndefined();
    expect(billOf('a-new-model', tokens)).toBeUndefined();
  });

  test.runIf(SESSIONS.length > 0)('is what agents recorded for the same usage', () => {
    const checked = new Map<string, number>();
    for (const { model, usage, recorded } of SESSIONS.flatMap(recordedCosts)) {
      const dollars = billOf(model, usage);
      if (dollars === undefined || recorded === 0) continue;
      expect(dollars, `${model} ${JSON.stringify(usage)}`).toBeCloseTo(recorded, 9);
      checked.set(model, (checked.get(model) ?? 0) + 1);
    }
    expect(checked.get('claude-sonnet-4-5')).toBeGreaterThan(100);
    expect(checked.get('gpt-5.4')).toBeGreaterThan(50);
  });
});

/** The usage and the price of each call that pi recorded. */
function recordedCosts(file: string): { model: string; usage: typeof tokens; recorded: number }[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.includes('"cost"'))
    .flatMap((line) => {
      const { message }: { message?: unknown } = JSON.parse(line);
      const usage = isRecord(message) && isRecord(message['usage']) ? message['usage'] : {};
      const cost = isRecord(usage['cost']) ? usage['cost'] : {};
      if (!isRecord(message) || typeof message['model'] !== 'string') return [];
      const metered = {
        uncached: asCount(usage['input']),
        read: asCount(usage['cacheRead']),
        written: asCount(usage['cacheWrite']),
        writtenForAnHour: 0,
        output: asCount(usage['output']),
      };
      return [{ model: message['model'], usage: metered, recorded: asCount(cost['total']) }];
    });
}
