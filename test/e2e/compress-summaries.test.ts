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

describe('density compress with a strategy that asks a model', () => {
  const computer = new Computer();
  const format = formatNamed('claude-code')!;
  const { pieces } = chainedSession('claude-code', { tokens: 60_000, seed: 4 });
  const session = computer.write('long.jsonl', Buffer.concat([...pieces]));
  const summaries = path.join(computer.home, 'summaries.jsonl');
  const compress = (args: readonly string[], environment = {}): Promise<Outcome> =>
    computer.run(['compress', session, '--json', ...args], environment);
  const entriesOf = (file: string) => liveHistory(format.read(linesOfText(readFileSync(file, 'utf8'))));

  test.each(['middle-out', 'one-shot'])(
    '%s writes the session with a summary that names the transcript, repeats it from a recording, and can be undone (REQ-HD-012.3)',
    async (strategy) => {
      const out = path.join(computer.folder, `${strategy}.jsonl`);
      const asked = ['--strategy', strategy, ...model.options];
      const first = await compress([...asked, '--summaries', summaries, '-o', out], { ANTHROPIC_API_KEY: KEY });
      expect([first.code, first.err]).toEqual([0, ONLY_NEXT]);
      const transcript = `${out}.transcript.jsonl`;
      expect(jsonLines(first.out)[0]).toMatchObject({ pairsBroken: 0, transcript });
      const [summary, ...more] = entriesOf(out).filter(isSnapshotEntry);
      expect(more).toEqual([]);
      expect(JSON.stringify(summary)).toContain(transcript);
      expect(statSync(transcript).mode & 0o777).toBe(0o600);

      const requests = model.requests;
      const again = path.join(computer.folder, `${strategy}-again.jsonl`);
      const second = await compress(['--strategy', strategy, '--summaries', summaries, '-o', again]);
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

  test('without a provider it says what is missing, and writes nothing', async () => {
    const out = path.join(computer.folder, 'nothing.jsonl');
    const { code, err } = await compress(['--strategy', 'middle-out', '-o', out]);
    expect(code).toBe(2);
    expect(err).toMatch(/--provider.*"middle-out"/);
    expect(existsSync(out)).toBe(false);
  });

  test('a provider that fails leaves no output and no transcript (law 9)', async () => {
    const before = readdirSync(computer.folder);
    const out = path.join(computer.folder, 'failed.jsonl');
    const { code, err } = await withRefusingModel((options) =>
      compress(['--strategy', 'one-shot', ...options, '-o', out], { ANTHROPIC_API_KEY: KEY }),
    );
    expect(code).toBe(1);
    expect(err).toContain('invalid x-api-key');
    expect(err).not.toContain(KEY);
    expect(readdirSync(computer.folder)).toEqual(before);
  });

  test('optimize prunes stale text with every configured strategy', async () => {
    const other = new Computer();
    const edited = other.write('work/edited.jsonl', sessionText(EDITED));
    other.write('work/.density.json', JSON.stringify({ 'compression.strategy': 'one-shot' }));
    const out = path.join(other.folder, 'optimized.jsonl');
    const { code, out: report, err } = await other.run(['optimize', edited, '-o', out, '--json']);
    expect([code, err]).toEqual([0, ONLY_NEXT]);
    expect(jsonLines(report)[0]).toMatchObject({ removed: { readWritePairs: 1 } });
  });
});
