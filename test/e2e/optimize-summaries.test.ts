import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { chainedSession } from '../../bench/sessions.ts';
import { liveHistory } from '../../src/formats/contract.ts';
import { formatNamed } from '../../src/formats/index.ts';
import { linesOfText } from '../../src/formats/lines/lines.ts';
import { isSnapshotEntry } from '../../src/strategies/summarizing/snapshot.ts';
import { historyOf, spoken } from '../contracts/format.ts';
import { Computer, EDITED, jsonLines, ONLY_NEXT, type Outcome, sessionText } from './density.ts';
import { KEY, SummaryModel, withRefusingModel } from './summary-model.ts';

const model = new SummaryModel();

describe('density optimize with a strategy that asks a model', () => {
  const computer = new Computer();
  const format = formatNamed('claude-code')!;
  const { pieces } = chainedSession('claude-code', { tokens: 60_000, seed: 4 });
  const session = computer.write('long.jsonl', Buffer.concat([...pieces]));
  const summaries = path.join(computer.home, 'summaries.jsonl');
  const optimize = (args: readonly string[], environment = {}): Promise<Outcome> =>
    computer.run(['optimize', session, '--json', ...args], environment);
  const entriesOf = (file: string) => liveHistory(format.read(linesOfText(readFileSync(file, 'utf8'))));

  test.each(['middle-out', 'one-shot'])(
    '%s writes the session with a summary that names the transcript, repeats it from a recording, and can be undone (REQ-HD-012.3)',
    async (strategy) => {
      const out = path.join(computer.folder, `${strategy}.jsonl`);
      const asked = ['--strategy', strategy, ...model.asked];
      const first = await optimize([...asked, '--summaries', summaries, '-o', out], { ANTHROPIC_API_KEY: KEY });
      expect([first.code, first.err]).toEqual([0, ONLY_NEXT]);
      const transcript = `${out}.transcript.jsonl`;
      expect(jsonLines(first.out)[0]).toMatchObject({ pairsBroken: 0, transcript });
      const [summary, ...more] = entriesOf(out).filter(isSnapshotEntry);
      expect(more).toEqual([]);
      expect(JSON.stringify(summary)).toContain(transcript);
      expect(statSync(transcript).mode & 0o777).toBe(0o600);

      const requests = model.requests;
      const again = path.join(computer.folder, `${strategy}-again.jsonl`);
      const second = await optimize(['--strategy', strategy, '--summaries', summaries, '-o', again]);
      expect([second.code, second.err]).toEqual([0, ONLY_NEXT]);
      expect(model.requests).toBe(requests);
      expect(entriesOf(again)).toHaveLength(entriesOf(out).length);

      const back = path.join(computer.folder, `${strategy}-back.jsonl`);
      const restored = await computer.run(['restore', out, '-o', back]);
      expect([restored.code, restored.err]).toEqual([0, ONLY_NEXT]);
      expect(spoken(historyOf(format, readFileSync(back, 'utf8')))).toEqual(
        spoken(historyOf(format, readFileSync(session, 'utf8'))),
      );
      for (const file of [out, transcript, summaries, back]) expect(readFileSync(file, 'utf8')).not.toContain(KEY);
    },
  );

  test('without a model it says what is missing, and writes nothing', async () => {
    const out = path.join(computer.folder, 'nothing.jsonl');
    const { code, err } = await optimize(['--strategy', 'middle-out', '-o', out]);
    expect(code).toBe(2);
    expect(err).toMatch(/--model.*"middle-out"/);
    expect(existsSync(out)).toBe(false);
  });

  test('a provider that fails leaves no output and no transcript (law 9)', async () => {
    const before = readdirSync(computer.folder);
    const out = path.join(computer.folder, 'failed.jsonl');
    const { code, err } = await withRefusingModel(({ asked }) =>
      optimize(['--strategy', 'one-shot', ...asked, '-o', out], { ANTHROPIC_API_KEY: KEY }),
    );
    expect(code).toBe(1);
    expect(err).toContain('invalid x-api-key');
    expect(err).not.toContain(KEY);
    expect(readdirSync(computer.folder)).toEqual(before);
  });

  test('nothing but --model on the command line can make it ask', async () => {
    const other = new Computer();
    const edited = other.write('work/edited.jsonl', sessionText(EDITED));
    expect((await other.run(['profile', 'save', 'asking', '--strategy', 'one-shot'])).code).toBe(0);
    other.write(
      'work/.density.json',
      JSON.stringify({ 'compression.strategy': 'middle-out', 'compression.profile': 'asking' }),
    );
    const environment = {
      ANTHROPIC_API_KEY: KEY,
      ANTHROPIC_BASE_URL: model.url,
      OPENAI_API_KEY: KEY,
      OPENAI_BASE_URL: model.url,
      SUMMARY_MODEL: 'claude-haiku-4-5',
      COMPACT_OUTPUT_DIR: '.compact',
      DENSITY_MODEL: 'claude-haiku-4-5',
    };
    const before = model.requests;
    const out = path.join(other.folder, 'optimized.jsonl');
    const { code, out: report, err } = await other.run(['optimize', edited, '-o', out, '--json'], environment);
    expect([code, err]).toEqual([0, ONLY_NEXT]);
    expect(jsonLines(report)[0]).toMatchObject({ removed: { readWritePairs: 1 } });
    for (const args of [
      ['--strategy', 'one-shot'],
      ['--strategy', 'middle-out', '--base-url', model.url],
    ]) {
      const refused = await other.run(['optimize', session, '-o', 'never.jsonl', ...args], environment);
      expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('Expected --model')]);
    }
    for (const place of [['--dry-run'], ['--start', '--dry-run'], ['--install', '--dry-run']])
      await other.run(['optimize', session, ...place], environment);
    expect(model.requests).toBe(before);
    // The same session, model and address: only now something is sent.
    const asked = ['--strategy', 'one-shot', '--model', 'anthropic'];
    expect((await other.run(['optimize', session, '-o', 'asked.jsonl', ...asked], environment)).code).toBe(0);
    expect(model.requests).toBeGreaterThan(before);
  });

  test('with --model it says what it will not do, before anything is sent', async () => {
    const before = model.requests;
    for (const [args, words] of [
      [['--strategy', 'top-down-truncation', '-o', 'x.jsonl'], 'it asks none'],
      [['--strategy', 'one-shot', '--dry-run'], 'not known before it is asked'],
      [['--start'], 'cannot be used with'],
      [['--install'], 'another session'],
    ] as const) {
      const { code, err } = await optimize([...args, ...model.asked], { ANTHROPIC_API_KEY: KEY });
      expect([code, err]).toEqual([2, expect.stringContaining(words)]);
    }
    const { code, err } = await optimize(['--model', 'qwen3', '-o', 'x.jsonl']);
    expect([code, err]).toEqual([2, expect.stringContaining('<provider>/<model>')]);
    expect(model.requests).toBe(before);
  });
});
