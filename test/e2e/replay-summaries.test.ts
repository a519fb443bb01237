import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { chainedSession } from '../../bench/sessions.ts';
import { Computer, jsonLines, ONLY_NEXT, type Outcome } from './density.ts';
import { KEY, SummaryModel, withRefusingModel } from './summary-model.ts';

const model = new SummaryModel();

/** A JSON line without the fields that differ from run to run. */
function figures({ out }: Outcome): unknown {
  return jsonLines(out).map(({ gateMs, stallMs, readMs, ...rest }) => rest);
}

describe('density replay with a strategy that asks a model', () => {
  const computer = new Computer();
  const { pieces } = chainedSession('high-density', { tokens: 60_000, seed: 3 });
  const session = computer.write('long.jsonl', Buffer.concat([...pieces]));
  const summaries = path.join(computer.home, 'summaries.jsonl');
  const replay = (strategy: string, more: readonly string[], environment = {}): Promise<Outcome> =>
    computer.run(['replay', '--json', '--context-limit', '20k', '--strategy', strategy, ...more, session], environment);

  test.each(['middle-out', 'one-shot'])(
    '%s asks the provider, records its summaries, and repeats without a network',
    async (strategy) => {
      const asked = [...model.options, '--summaries', summaries];
      const first = await replay(strategy, asked, { ANTHROPIC_API_KEY: KEY });
      expect([first.code, first.err]).toEqual([0, ONLY_NEXT]);
      expect(jsonLines(first.out)[0]).toMatchObject({ strategy, pairsBroken: 0 });
      expect(jsonLines(first.out)[0]!['compressions']).toBeGreaterThan(2);
      const requests = model.requests;
      expect(requests).toBeGreaterThan(2);
      const again = await replay(strategy, ['--summaries', summaries]);
      expect([again.code, again.err]).toEqual([0, ONLY_NEXT]);
      expect(figures(again)).toEqual(figures(first));
      expect(model.requests).toBe(requests);
      expect(readFileSync(summaries, 'utf8')).not.toContain(KEY);
    },
  );

  test('without a provider it says what is missing', async () => {
    const { code, out, err } = await replay('middle-out', []);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(/--provider.*"middle-out"/);
  });

  test('without a key it names the variable, and an unknown provider is wrong usage', async () => {
    const keyless = await replay('one-shot', ['--provider', 'anthropic']);
    expect([keyless.code, keyless.out]).toEqual([1, '']);
    expect(keyless.err).toContain('ANTHROPIC_API_KEY');
    const unknown = await replay('one-shot', ['--provider', 'antropic']);
    expect([unknown.code, unknown.out]).toEqual([2, '']);
    expect(unknown.err).toContain('anthropic, openai');
    expect((await replay('one-shot', ['--summary-model', 'x'])).code).toBe(2);
  });

  test('fails for a missing file of summaries, and creates none', async () => {
    const nowhere = path.join(computer.home, 'nowhere.jsonl');
    const { code, err } = await replay('one-shot', ['--summaries', nowhere]);
    expect(code).toBe(1);
    expect(err).toContain(nowhere);
    expect(existsSync(nowhere)).toBe(false);
  });

  test('a refusal of the provider is reported without the key, and steps without a model keep the window (docs/readings.md, row 17)', async () => {
    const { code, out } = await withRefusingModel(({ options }) =>
      replay('one-shot', options, { ANTHROPIC_API_KEY: KEY }),
    );
    expect(code).toBe(0);
    expect(JSON.stringify(jsonLines(out)[0]!['notices'])).toContain('invalid x-api-key');
    expect(jsonLines(out)[0]).toMatchObject({ turnsOverLimit: 0, pairsBroken: 0 });
    expect(out).not.toContain(KEY);
  });
});
