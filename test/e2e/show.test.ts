import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Certificate, CertifiedItem } from '../../src/lab/certificate.ts';
import { Computer, EDITED, jsonLines, sessionText } from './density.ts';

/** The removed blocks in the only certificate of a run with `--json`. */
function certifiedItems(out: string): readonly CertifiedItem[] {
  const [report] = jsonLines(out);
  const certificates = report?.['certificates'] as readonly Certificate[];
  expect(certificates).toHaveLength(1);
  return certificates[0]!.items;
}

describe('density show', () => {
  const computer = new Computer();
  const session = computer.write('work/day.jsonl', sessionText(EDITED));
  const optimize = (output: string, ...more: string[]) =>
    computer.run(['optimize', session, '-o', path.join(computer.folder, output), '--json', '--certificate', ...more]);

  test('shows what pruning removed, by the hash in the certificate', async () => {
    const { out } = await optimize('smaller.jsonl', '--archive', 'on');
    const items = certifiedItems(out);
    expect(items.length).toBeGreaterThan(1);
    for (const { hash } of items) {
      const shown = await computer.run(['show', '--json', '--no-redact', hash.slice(0, 10)]);
      expect(shown.code).toBe(0);
      expect(JSON.parse(shown.out)).toHaveProperty('type');
    }
    const listed = await computer.run(['show']);
    const withoutCalls = items.filter(({ block }) => block !== 'tool_call');
    expect(listed.out.trim().split('\n')).toHaveLength(withoutCalls.length);
    expect(listed.out).toMatch(/^[0-9a-f]{12} .* read_file \/project\/a\.ts$/m);
    expect(listed.err).toMatch(/^next: density show [0-9a-f]{12}\n$/);
    const [first] = jsonLines((await computer.run(['show', '--json'])).out);
    expect(first).toMatchObject({ hash: expect.any(String), title: expect.stringContaining('read_file') });
  });

  test('keeps nothing by default, and says how to turn it on', async () => {
    const other = new Computer();
    const file = other.write('work/day.jsonl', sessionText(EDITED));
    const { out } = await other.run(['optimize', file, '-o', path.join(other.folder, 'smaller.jsonl')]);
    expect(out).toContain('removed entries are kept in ~/work/smaller.jsonl.transcript.jsonl\n');
    const listed = await other.run(['show']);
    expect(listed.out).toContain('compression.density.archive');
    expect(listed.out).toContain('The archive ~/.local/share/high-density/archive is empty.');
    expect(existsSync(path.join(other.home, '.local/share/high-density/archive'))).toBe(false);
    const missing = await other.run(['show', 'abcdef']);
    expect(missing.code).toBe(1);
    expect(missing.err).toContain('abcdef');
    // The printed setting works.
    const [, told] = /in \.density\.json: (.*)\n$/.exec(listed.out)!;
    other.write('work/.density.json', told!);
    await other.run(['optimize', file, '-o', path.join(other.folder, 'again.jsonl')]);
    expect((await other.run(['show'])).out).toMatch(/^[0-9a-f]{12} /);
  });

  test('hides keys unless told not to', async () => {
    const key = `sk-ant-api03-${'aB3dE5gH7jK9'.repeat(8)}`;
    const secret = computer.write('work/secret.jsonl', sessionText(EDITED).replaceAll('before', key));
    const output = path.join(computer.folder, 'less.jsonl');
    const flags = ['--json', '--certificate', '--archive', 'on'];
    const { out } = await computer.run(['optimize', secret, '-o', output, ...flags]);
    const items = certifiedItems(out);
    const result = items.find(({ block }) => block === 'tool_response')!;
    expect((await computer.run(['show', result.hash, '--no-redact'])).out).toContain(key);
    const shown = await computer.run(['show', result.hash]);
    expect(shown.out).not.toContain(key);
    expect(shown.out).toContain('const [hidden');
    expect(shown.err).toContain('--no-redact');
  });
});
