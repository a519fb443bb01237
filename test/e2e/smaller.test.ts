import { chmodSync, existsSync, linkSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { liveHistory } from '../../src/formats/contract.ts';
import { highDensity } from '../../src/formats/high-density/high-density.ts';
import { linesOfText } from '../../src/formats/lines/lines.ts';
import { Computer, EDITED, jsonLines, ONLY_NEXT, sessionText } from './density.ts';

const entriesOf = (text: string) => liveHistory(highDensity.read(linesOfText(text)));
const STALE = ['ai-1', 'tool-1'];
const ids = (text: string) => entriesOf(text).map(({ metadata }) => metadata?.id);
const LEFT = EDITED.map(({ metadata }) => metadata?.id).filter((id) => !STALE.includes(id ?? ''));

function planted(): { computer: Computer; session: string; out: string } {
  const computer = new Computer();
  const session = computer.write('work/edited.jsonl', sessionText(EDITED));
  return { computer, session, out: path.join(computer.folder, 'out.jsonl') };
}

describe('density optimize', () => {
  test('writes the session without stale reads, and the removed entries into a transcript beside it (docs/readings.md, row 22)', async () => {
    const { computer, session, out } = planted();
    const { code, out: report } = await computer.run(['optimize', session, '-o', out]);
    expect(code).toBe(0);
    expect(ids(readFileSync(out, 'utf8'))).toEqual(LEFT);
    expect(ids(readFileSync(`${out}.transcript.jsonl`, 'utf8'))).toEqual(STALE);
    expect(readFileSync(session, 'utf8')).toBe(sessionText(EDITED));
    expect(report).toContain(out);
    expect(report).toMatch(/tokens in the context, \d+% removed\n/);
    expect(readdirSync(computer.folder).sort()).toEqual(['edited.jsonl', 'out.jsonl', 'out.jsonl.transcript.jsonl']);
  });

  test('keeps unchanged lines byte for byte', async () => {
    const { computer, session, out } = planted();
    await computer.run(['optimize', session, '-o', out]);
    const before = new Set(sessionText(EDITED).split('\n'));
    expect(
      readFileSync(out, 'utf8')
        .split('\n')
        .every((line) => before.has(line)),
    ).toBe(true);
  });

  test('removes nothing in a second run, and writes no transcript', async () => {
    const { computer, session, out } = planted();
    await computer.run(['optimize', session, '-o', out]);
    const again = path.join(computer.folder, 'again.jsonl');
    const { out: report } = await computer.run(['optimize', out, '-o', again]);
    expect(report).toContain('Nothing was removed');
    expect(readFileSync(again)).toEqual(readFileSync(out));
    expect(existsSync(`${again}.transcript.jsonl`)).toBe(false);
  });

  test('with --dry-run says in a script what it would remove, and writes nothing', async () => {
    const computer = new Computer();
    const session = computer.write('session.jsonl', sessionText(EDITED));
    const before = readdirSync(computer.home, { recursive: true });
    const { code, out, err } = await computer.run(['optimize', session, '--dry-run']);
    expect([code, err]).toEqual([0, ONLY_NEXT]);
    expect(out).toContain('Nothing was written.');
    expect(out).not.toContain('\u001b');
    const [json] = jsonLines((await computer.run(['optimize', session, '--dry-run', '--json'])).out);
    expect(json).toMatchObject({
      output: null,
      transcript: null,
      removedTokens: { readWritePairs: 311 },
    });
    expect(readdirSync(computer.home, { recursive: true })).toEqual(before);
    const both = await computer.run(['optimize', session, '--dry-run', '--install']);
    expect(both.code).toBe(2);
  });

  test('refuses to overwrite, and with --force replaces the file and adds to the transcript', async () => {
    const { computer, session, out } = planted();
    computer.write('work/out.jsonl', 'mine');
    const refused = await computer.run(['optimize', session, '-o', out]);
    expect([refused.code, refused.err.includes('--force')]).toEqual([1, true]);
    expect(readFileSync(out, 'utf8')).toBe('mine');
    expect((await computer.run(['optimize', session, '-o', out, '--force'])).code).toBe(0);
    expect((await computer.run(['optimize', session, '-o', out, '--force'])).code).toBe(0);
    const transcript = entriesOf(readFileSync(`${out}.transcript.jsonl`, 'utf8'));
    expect(transcript.map(({ blocks }) => blocks[0]?.type)).toEqual([
      'tool_call',
      'tool_response',
      'tool_call',
      'tool_response',
    ]);
  });

  test('with -o - writes only the session to standard output, the report to standard error, the transcript into the data folder', async () => {
    const { computer, session } = planted();
    const { code, out, err } = await computer.run(['optimize', session, '-o', '-']);
    expect([code, ids(out)]).toEqual([0, LEFT]);
    expect(err).toMatch(/tokens in the context, \d+% removed\n/);
    const folder = path.join(computer.home, '.local/share/high-density/transcripts');
    const [transcript] = readdirSync(folder);
    expect(err).toContain(transcript);
    expect(ids(readFileSync(path.join(folder, transcript as string), 'utf8'))).toEqual(STALE);
    expect(statSync(path.join(folder, transcript as string)).mode & 0o077).toBe(0);
  });

  test('prints nothing to standard output if what is removed cannot be kept', async () => {
    const { computer, session } = planted();
    computer.write('.local/share/high-density', 'a file where the folder belongs');
    const { code, out, err } = await computer.run(['optimize', session, '-o', '-']);
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/transcripts.*The session was not written\./s);
  });

  test('never writes to the session itself, under any of its names', async () => {
    const { computer, session } = planted();
    const names = { symlink: path.join(computer.folder, 'symlink'), hardlink: path.join(computer.folder, 'hardlink') };
    symlinkSync(session, names.symlink);
    linkSync(session, names.hardlink);
    for (const out of [session, names.symlink, names.hardlink]) {
      const { code, err } = await computer.run(['optimize', session, '-o', out, '--force']);
      expect([code, err.includes('never changes in place')]).toEqual([1, true]);
    }
    expect(readFileSync(session, 'utf8')).toBe(sessionText(EDITED));
  });

  test.each([
    ['a missing folder', 'missing/out.jsonl', 'no folder'],
    ['a folder', '.', 'the folder'],
    ['a file in place of a folder', 'edited.jsonl/out.jsonl', 'Expected a folder to write to, got'],
    // A device may have passed on a part: what that lacks stays kept.
    ['a full device', '/dev/full', 'no space left', 1],
    ['a read-only place', '/proc/out.jsonl', '/proc/out.jsonl'],
  ])('fails for %s and leaves no file of it', async (_what, out, reason, kept = 0) => {
    const { computer, session } = planted();
    const { code, err } = await computer.run(['optimize', session, '-o', out]);
    expect(code).toBe(1);
    expect(err).toContain(reason);
    expect(readdirSync(computer.folder)).toEqual(['edited.jsonl']);
    const transcripts = path.join(computer.home, '.local/share/high-density/transcripts');
    expect(existsSync(transcripts) ? readdirSync(transcripts) : []).toHaveLength(kept);
  });

  test('writes through a symbolic link to a file that does not exist yet', async () => {
    const { computer, session, out } = planted();
    const link = path.join(computer.folder, 'link');
    symlinkSync('out.jsonl', link);
    expect((await computer.run(['optimize', session, '-o', link])).code).toBe(0);
    expect([lstatSync(link).isSymbolicLink(), ids(readFileSync(out, 'utf8'))]).toEqual([true, LEFT]);
  });

  test('treats /dev/stdout as standard output: the report is not mixed with the session', async () => {
    const { computer, session } = planted();
    const { code, out, err } = await computer.run(['optimize', session, '-o', '/dev/stdout']);
    expect([code, ids(out)]).toEqual([0, LEFT]);
    expect(err).toMatch(/tokens in the context, \d+% removed\n/);
  });

  test('never adds a transcript to the session itself', async () => {
    const { computer, out } = planted();
    const session = computer.write('work/out.jsonl.transcript.jsonl', sessionText(EDITED));
    const { code, err } = await computer.run(['optimize', session, '-o', out]);
    expect([code, err.includes('is the session itself')]).toEqual([1, true]);
    expect(readFileSync(session, 'utf8')).toBe(sessionText(EDITED));
    expect(existsSync(out)).toBe(false);
  });

  test('reports in 80 columns, also for a model with a long name', async () => {
    const { computer, session, out } = planted();
    const args = ['optimize', session, '-o', out, '--counted-as', 'claude-3-5-sonnet-20240620-with-a-long-name'];
    const { out: report } = await computer.run(args);
    expect(report).toContain('claude-3-5-sonnet-20240620-with-a-long-name');
    const lines = report.split('\n').filter((line) => !line.includes(out));
    expect(Math.max(...lines.map((line) => stringWidth(line)))).toBeLessThanOrEqual(80);
  });

  test('gives the output no more readers than the session has', async () => {
    const { computer, session, out } = planted();
    chmodSync(session, 0o600);
    await computer.run(['optimize', session, '-o', out]);
    expect([out, `${out}.transcript.jsonl`].map((file) => statSync(file).mode & 0o777)).toEqual([0o600, 0o600]);
  });

  test('refuses a format that can only be read, and names those that can be written', async () => {
    const { computer, out } = planted();
    const trajectory = {
      info: {},
      messages: [
        { role: 'system', content: 's' },
        { role: 'user', content: 'u' },
      ],
      trajectory_format: 'mini-swe-agent-1',
    };
    const file = computer.write('run.traj.json', JSON.stringify(trajectory));
    const { code, err } = await computer.run(['optimize', file, '-o', out]);
    expect(code).toBe(1);
    expect(err).toContain('claude-code, codex');
    expect(existsSync(out)).toBe(false);
  });
});

describe('density optimize --strategy', () => {
  test('shortens entries outside the tail, keeps every pair, and keeps the originals in the transcript', async () => {
    const { computer, session, out } = planted();
    const args = [
      'optimize',
      session,
      '--strategy',
      'high-density',
      '-o',
      out,
      '--context-limit',
      '1000',
      '--preserve',
      '0',
      '--json',
    ];
    const { code, out: report } = await computer.run(args);
    expect(code).toBe(0);
    const [record] = jsonLines(report);
    expect(record).toMatchObject({
      pairsBroken: 0,
      removed: { readWritePairs: 1 },
      transcript: `${out}.transcript.jsonl`,
    });
    expect(record?.['tokensAfter']).toBeLessThan((record?.['tokens'] as number) / 2);
    const kept = entriesOf(readFileSync(out, 'utf8'));
    const originals = entriesOf(readFileSync(`${out}.transcript.jsonl`, 'utf8'));
    for (const entry of EDITED) {
      const isKept = kept.some(({ blocks }) => JSON.stringify(blocks) === JSON.stringify(entry.blocks));
      const isOriginal = originals.some(({ metadata }) => metadata?.id === entry.metadata?.id);
      expect(isKept || isOriginal).toBe(true);
    }
    expect(
      kept.some(({ speaker, blocks }) => speaker === 'human' && JSON.stringify(blocks).includes('Rename it')),
    ).toBe(true);
  });
});
