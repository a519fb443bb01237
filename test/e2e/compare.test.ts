import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { Computer, EDITED, jsonLines, sessionText } from './density.ts';

describe('density compare', () => {
  const computer = new Computer();
  const folder = path.join(computer.folder, 'days');
  mkdirSync(folder);
  for (const day of ['one', 'two', 'three']) writeFileSync(path.join(folder, `${day}.jsonl`), sessionText(EDITED));
  writeFileSync(path.join(folder, 'other.json'), '{"no": "session"}');

  test('sets policies side by side over the sessions of a folder, and passes over what is none', async () => {
    const { code, out, err } = await computer.run(['compare', folder]);
    expect(code).toBe(0);
    expect(err).toBe('1 files in folders hold no session that can be read.\n');
    for (const policy of ['no-pruning', 'specif', 'keep-l', 'quiet', 'when-'])
      expect(out).toContain(policy.slice(0, 5));
    expect(out).toContain('3 sessions, 12 model calls');
    for (const line of out.split('\n').slice(0, 13)) expect(line.length).toBeLessThanOrEqual(80);
  });

  test('with --json has one line for each session, with each policy and its regrets', async () => {
    const { out } = await computer.run(['compare', '--json', folder]);
    const lines = jsonLines(out);
    expect(lines.map(({ path: file }) => path.basename(String(file)))).toEqual([
      'one.jsonl',
      'three.jsonl',
      'two.jsonl',
    ]);
    const [none, specification] = lines[0]!['outcomes'] as Record<string, unknown>[];
    expect(none).toMatchObject({ policy: 'no-pruning', regrets: [], calls: 4 });
    expect(specification!['tokensSent']).toBeLessThan(none!['tokensSent'] as number);
  });

  test('plays the policies of a file', async () => {
    const policies = computer.write('policies.json', '{"patient": {"compression.density.quietCalls": 9}}');
    const { out } = await computer.run(['compare', '--json', '--policies', policies, path.join(folder, 'one.jsonl')]);
    const outcomes = jsonLines(out)[0]!['outcomes'] as { policy: string }[];
    expect(outcomes.map(({ policy }) => policy)).toEqual(['no-pruning', 'patient']);
    const wrong = computer.write('wrong.json', '{"patient": {"quietCalls": 9}}');
    const refused = await computer.run(['compare', '--policies', wrong, folder]);
    expect(refused.code).not.toBe(0);
    expect(refused.err).toContain('wrong.json');
  });

  test('goes on from the results of a run that was ended, and compares what changed anew', async () => {
    const results = path.join(computer.folder, 'results.jsonl');
    const first = await computer.run(['compare', '--json', '--results', results, folder]);
    const kept = readFileSync(results, 'utf8').split('\n');
    expect(kept).toHaveLength(4);
    // Ended while the third was written.
    writeFileSync(results, `${kept.slice(0, 2).join('\n')}\n${kept[2]!.slice(0, 40)}\n`);
    const second = await computer.run(['compare', '--json', '--results', results, folder]);
    expect(second.out).toBe(first.out);
    expect(readFileSync(results, 'utf8').split('\n')).toHaveLength(5);
  });

  test('says what is wrong with a file that is named, and ends with 1', async () => {
    const { code, err, out } = await computer.run(['compare', path.join(folder, 'one.jsonl'), 'missing.jsonl']);
    expect(code).toBe(1);
    expect(err).toContain('missing.jsonl');
    expect(out).toContain('1 session,');
  });
});
