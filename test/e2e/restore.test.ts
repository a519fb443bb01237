import { appendFileSync, copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { highDensity } from '../../src/formats/high-density/high-density.ts';
import { historyOf, spoken } from '../contracts/format.ts';
import { Computer, EDITED, jsonLines, ONLY_NEXT, sessionText } from './density.ts';

const said = (file: string) => spoken(historyOf(highDensity, readFileSync(file, 'utf8')));
const SINCE = { speaker: 'human', blocks: [{ type: 'text', text: 'And now the tests.' }] } as const;

/** By pruning alone, or also by a strategy. */
const WAYS = { pruning: [], 'a strategy': ['--strategy', 'high-density', '--context-limit', '500'] } as const;

async function smaller(way: keyof typeof WAYS) {
  const computer = new Computer();
  const session = computer.write('work/session.jsonl', sessionText(EDITED));
  const out = path.join(computer.folder, 'out.jsonl');
  const { code } = await computer.run(['optimize', session, '-o', out, ...WAYS[way]]);
  expect(code).toBe(0);
  expect(said(out)).not.toEqual(spoken(EDITED));
  return { computer, session, out, back: path.join(computer.folder, 'back.jsonl') };
}

describe('density restore', () => {
  test.each(['pruning', 'a strategy'] as const)(
    'restores what %s removed, followed by what was added since (docs/readings.md, row 22)',
    async (way) => {
      const { computer, out, back } = await smaller(way);
      appendFileSync(out, `${JSON.stringify(SINCE)}\n`);
      const before = readFileSync(out, 'utf8');
      const { code, out: report, err } = await computer.run(['restore', out, '-o', back]);
      expect([code, err]).toEqual([0, ONLY_NEXT]);
      const sum =
        /^(\d+) entr(?:y|ies) restored(?:, in place of (\d+) shorter ones?)?: (\d+) entries, now (\d+)\n/.exec(report);
      const [restored, replaced, was, isNow] = (sum ?? []).slice(1).map((number) => Number(number ?? 0));
      expect(was! - replaced! + restored!, report).toBe(isNow);
      expect(said(back)).toEqual(spoken([...EDITED, SINCE]));
      expect(readFileSync(out, 'utf8')).toBe(before);
    },
  );

  test.each(['pruning', 'a strategy'] as const)('gives back the very bytes after %s', async (way) => {
    const { computer, session, out, back } = await smaller(way);
    expect((await computer.run(['restore', out, '-o', back])).code).toBe(0);
    expect(readFileSync(back, 'utf8')).toBe(readFileSync(session, 'utf8'));
  });

  test('undoes the last of several runs in one transcript, and reports as JSON', async () => {
    const { computer, session, out, back } = await smaller('pruning');
    const moved = path.join(computer.folder, 'moved.jsonl');
    copyFileSync(`${out}.transcript.jsonl`, moved);
    await computer.run(['optimize', session, '-o', out, '--force', ...WAYS['a strategy']]);
    const transcript = `${out}.transcript.jsonl`;
    expect(readFileSync(transcript, 'utf8').startsWith(readFileSync(moved, 'utf8'))).toBe(true);
    const { out: told } = await computer.run(['restore', out, '--transcript', transcript, '-o', back, '--json']);
    expect(jsonLines(told)[0]).toMatchObject({ format: 'high-density', transcript, entriesAfter: EDITED.length });
    expect(said(back)).toEqual(spoken(EDITED));
  });

  test.each<[string, (place: { out: string; session: string }) => void, RegExp]>([
    ['another session', ({ out }) => writeFileSync(out, sessionText(EDITED.slice(0, 3))), /session that begins with/],
    ['no transcript', ({ out }) => writeFileSync(`${out}.transcript.jsonl`, ''), /does not say what was removed/],
    [
      'a transcript cut short',
      ({ out }) => {
        const [header] = readFileSync(`${out}.transcript.jsonl`, 'utf8').split('\n');
        writeFileSync(`${out}.transcript.jsonl`, `${header}\n`);
      },
      /session that begins with/,
    ],
    [
      'a transcript of something else',
      ({ out, session }) => copyFileSync(session, `${out}.transcript.jsonl`),
      /does not say what was removed/,
    ],
  ])('with %s writes nothing and says why', async (_what, spoil, message) => {
    const { computer, session, out, back } = await smaller('pruning');
    spoil({ out, session });
    const { code, out: told, err } = await computer.run(['restore', out, '-o', back]);
    expect([code, told]).toEqual([1, '']);
    expect(err).toMatch(message);
    expect(err).toContain(`${out}.transcript.jsonl`);
    expect(existsSync(back)).toBe(false);
  });

  test('fails for a missing transcript and an existing output', async () => {
    const { computer, session, out } = await smaller('pruning');
    const missing = await computer.run(['restore', session, '-o', path.join(computer.folder, 'x.jsonl')]);
    expect([missing.code, missing.err.includes('session.jsonl.transcript.jsonl')]).toEqual([1, true]);
    expect(missing.err).toContain(
      'Either nothing was removed, or the transcript is elsewhere: name it with --transcript <file>.',
    );
    const exists = await computer.run(['restore', out, '-o', session]);
    expect([exists.code, exists.err.includes('--force')]).toEqual([1, true]);
    const transcript = `${out}.transcript.jsonl`;
    const before = readFileSync(transcript, 'utf8');
    const onto = await computer.run(['restore', out, '-o', transcript, '--force']);
    expect([onto.code, onto.err.includes('the transcript itself')]).toEqual([1, true]);
    expect(readFileSync(transcript, 'utf8')).toBe(before);
  });
});
