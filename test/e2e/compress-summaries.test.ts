import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chainedSession } from '../../bench/sessions.ts';
import { liveHistory } from '../../src/formats/contract.ts';
import { formatNamed } from '../../src/formats/index.ts';
import { linesOfText } from '../../src/formats/lines.ts';
import { isSnapshotEntry } from '../../src/strategies/summarizing/snapshot.ts';
import { historyOf, spoken } from '../contracts/format.ts';
import { Loopback, stream } from '../providers/loopback.ts';
import { WIRES } from '../providers/wires.ts';
import { Computer, EDITED, jsonLines, type Outcome, sessionText } from './density.ts';

const KEY = 'key-of-these-tests-0123456789';
const server = new Loopback();
let baseUrl: string;
beforeAll(async () => {
  baseUrl = await server.start();
  const texts = ['<state_snapshot>\n<overall_goal>Go on.</overall_goal>\n</state_snapshot>'];
  server.willAnswer(stream(WIRES['anthropic']!.events({ texts, ending: 'stop' })));
});
afterAll(() => server.stop());

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
      const asked = ['--strategy', strategy, '--provider', 'anthropic', '--base-url', baseUrl];
      const first = await compress([...asked, '--summaries', summaries, '-o', out], { ANTHROPIC_API_KEY: KEY });
      expect([first.code, first.err]).toEqual([0, '']);
      const transcript = `${out}.transcript.jsonl`;
      expect(jsonLines(first.out)[0]).toMatchObject({ pairsBroken: 0, transcript });
      const [summary, ...more] = entriesOf(out).filter(isSnapshotEntry);
      expect(more).toEqual([]);
      expect(JSON.stringify(summary)).toContain(transcript);
      expect(statSync(transcript).mode & 0o777).toBe(0o600);

      const requests = server.requests.length;
      const again = path.join(computer.folder, `${strategy}-again.jsonl`);
      const second = await compress(['--strategy', strategy, '--summaries', summaries, '-o', again]);
      expect([second.code, second.err]).toEqual([0, '']);
      expect(server.requests.length).toBe(requests);
      expect(entriesOf(again)).toHaveLength(entriesOf(out).length);

      const back = path.join(computer.folder, `${strategy}-back.jsonl`);
      const restored = await computer.run(['restore', out, '-o', back]);
      expect([restored.code, restored.err]).toEqual([0, '']);
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
    const refusing = new Loopback();
    const url = await refusing.start();
    refusing.willAnswer((response) => {
      response.writeHead(401, { 'content-type': 'application/json' });
      response.end(`{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key ${KEY}"}}`);
    });
    const before = readdirSync(computer.folder);
    const out = path.join(computer.folder, 'failed.jsonl');
    const args = ['--strategy', 'one-shot', '--provider', 'anthropic', '--base-url', url, '-o', out];
    const { code, err } = await compress(args, { ANTHROPIC_API_KEY: KEY });
    await refusing.stop();
    expect(code).toBe(1);
    expect(err).toContain('invalid x-api-key');
    expect(err).not.toContain(KEY);
    expect(readdirSync(computer.folder)).toEqual(before);
  });

  test('optimize prunes what is stale whatever strategy the project has set', async () => {
    const other = new Computer();
    const edited = other.write('work/edited.jsonl', sessionText(EDITED));
    other.write('work/.density.json', JSON.stringify({ 'compression.strategy': 'one-shot' }));
    const out = path.join(other.folder, 'optimized.jsonl');
    const { code, out: report, err } = await other.run(['optimize', edited, '-o', out, '--json']);
    expect([code, err]).toEqual([0, '']);
    expect(jsonLines(report)[0]).toMatchObject({ removed: { readWritePairs: 1 } });
  });
});
