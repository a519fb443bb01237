import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { Computer, EDITED, ONLY_NEXT, sessionText } from './density.ts';

/** Joined here, so that secret scanners ignore this file. */
const KEY = ['sk-', 'ant-api03-', 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF3hJ5'].join('');

describe('density replay -o', () => {
  const computer = new Computer();
  const text = sessionText(EDITED).replace('const before = 1;', `const before = '${KEY}';`);
  const session = computer.write('edited.jsonl', text);
  const inFolder = (name: string): string => path.join(computer.folder, name);

  test('writes one page, hides secrets in it and says how many', async () => {
    const { code, out, err } = await computer.run(['replay', session, '-o', 'page.html']);
    expect([code, err]).toEqual([0, ONLY_NEXT]);
    const page = readFileSync(inFolder('page.html'), 'utf8');
    expect(page).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/);
    expect(page).toContain('a.ts was written later by write_file in call 2');
    expect(page).not.toContain(KEY);
    expect(out).toMatch(/^written to page\.html \(\d+ kB\)\n3 keys, tokens and passwords of known shapes hidden\n$/);
    expect(page).toContain('3 keys, tokens and passwords of known shapes were hidden.');
  });

  test('with --open alone is called replay.html, and replaces a file only with --force', async () => {
    expect((await computer.run(['replay', session, '--open'])).code).toBe(0);
    const { mtimeMs } = statSync(inFolder('replay.html'));
    const again = await computer.run(['replay', session, '--open']);
    expect([again.code, again.out]).toEqual([1, '']);
    expect(again.err).toContain('Use --force to replace it.');
    expect(statSync(inFolder('replay.html')).mtimeMs).toBe(mtimeMs);
    expect((await computer.run(['replay', session, '--open', '--force', '--no-redact'])).out).toContain(
      'Nothing was hidden',
    );
    expect(readFileSync(inFolder('replay.html'), 'utf8')).toContain(KEY);
    const itself = await computer.run(['replay', session, '--force', '-o', session]);
    expect([itself.code, readFileSync(session, 'utf8')]).toEqual([1, text]);
  });

  test('with -o - is written to standard output, with its messages on standard error', async () => {
    const { code, out, err } = await computer.run(['replay', session, '-o', '-']);
    expect(code).toBe(0);
    expect(out).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/);
    expect(err).toContain('3 keys, tokens and passwords of known shapes hidden');
  });

  test('draws the requested strategy, window and threshold', async () => {
    const options = ['--strategy', 'top-down-truncation', '--context-limit', '1k', '--threshold', '0.5'];
    const { out } = await computer.run(['replay', session, '-o', '-', ...options]);
    expect(out).toContain('by top-down-truncation');
    expect(out).toContain('threshold 500 (50%)');
  });

  test('leaves no file if the session cannot be read', async () => {
    for (const file of ['missing.jsonl', computer.write('empty.jsonl', '')]) {
      const { code, err } = await computer.run(['replay', file, '-o', 'none.html']);
      expect([code, existsSync(inFolder('none.html'))]).toEqual([1, false]);
      expect(err).toContain(file);
    }
  });
});
