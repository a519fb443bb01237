import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { Computer, EDITED, jsonLines, sessionText } from './density.ts';

describe('density compare', () => {
  const computer = new Computer();
  const folder = path.join(computer.folder, 'days');
  mkdirSync(folder);
  for (const day of ['one', 'two', 'three']) writeFileSync(path.join(folder, `${day}.jsonl`), sessionText(EDITED));
  writeFileSync(path.join(folder, 'other.json'), '{"no": "session"}');

  test('compares policies over the sessions of a folder, and skips other files', async () => {
    const { code, out, err } = await computer.run(['compare', folder]);
    expect(code).toBe(0);
    expect(err).toBe(
      `1 file in folders contains no readable session:\n  ${path.join(folder, 'other.json')}: no known format\nnext: density compare ${folder} --open\n`,
    );
    for (const policy of ['no-pruning', 'specif', 'keep-l', 'quiet', 'when-'])
      expect(out).toContain(policy.slice(0, 5));
    expect(out).toContain('3 sessions, 12 model calls');
    for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    expect(out).toMatch(/^profile .* invalid$/m);
    expect(out).toMatch(/^(?:Use `|Nothing is better than no pruning for your 3 sessions: `recommended` )/);
    expect(out.replaceAll(/\s+/g, ' ')).toContain(
      'Regrets by rule: everything that was needed later, by what removed it: edits, quotations, names and calls. The advice counts edits alone.',
    );
    expect(out).toContain('Bills are simulated at list prices of 2026-11-29.');
  });

  test('shows no dollars of a model without a price, and says where to give one', async () => {
    const file = computer.write('own-model.jsonl', sessionText(EDITED, { model: 'my-own-model' }));
    const { out } = await computer.run(['compare', file]);
    expect(out.replaceAll('\n', ' ')).toContain(
      'No price is known of my-own-model: no dollars are shown of it, and nothing that its cache may have is changed. Give one in the setting `model-prices`',
    );
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

  test('continues from the results of an interrupted run, and compares changed files again', async () => {
    const results = path.join(computer.folder, 'results.jsonl');
    const first = await computer.run(['compare', '--json', '--results', results, folder]);
    const kept = readFileSync(results, 'utf8').split('\n');
    expect(kept).toHaveLength(4);
    // Interrupted while the third was written.
    writeFileSync(results, `${kept.slice(0, 2).join('\n')}\n${kept[2]!.slice(0, 40)}`);
    const second = await computer.run(['compare', '--json', '--results', results, folder]);
    expect(second.out).toBe(first.out);
    const lines = readFileSync(results, 'utf8').split('\n');
    expect(lines).toHaveLength(5);
    const third = await computer.run(['compare', '--json', '--results', results, folder]);
    expect(third.out).toBe(first.out);
    expect(readFileSync(results, 'utf8')).toBe(lines.join('\n'));
    const refused = await computer.run(['compare', '--results', path.join(folder, 'no', 'such.jsonl'), folder]);
    expect(refused).toMatchObject({ code: 2, out: '' });
  });

  test('keeps no result of a session that then proves to have been sent with other texts', async () => {
    const conversation = '.local/share/high-density/live/conversations/one.jsonl';
    computer.write(conversation, '{"pin":"/elsewhere.ts"}\n');
    const file = computer.write('sent.jsonl', sessionText(EDITED));
    const results = path.join(computer.folder, 'sent-results.jsonl');
    const tokensSent = async (): Promise<number> => {
      const { out } = await computer.run(['compare', '--json', '--results', results, file]);
      return (jsonLines(out)[0]!['outcomes'] as { tokensSent: number }[])[0]!.tokensSent;
    };
    const whole = await tokensSent();
    const [response] = EDITED.flatMap(({ blocks }) =>
      blocks.flatMap((one) => (one.type === 'tool_response' ? one : [])),
    );
    const hash = createHash('sha1').update(String(response!.result)).digest('base64url');
    const freeze = { id: `${response!.callId} ${hash}`, kind: 'pruned', text: 'x', reason: '', files: [] };
    computer.write(conversation, `${JSON.stringify({ freeze })}\n`);
    const sent = await tokensSent();
    expect(sent).toBeLessThan(whole);
    expect(await tokensSent()).toBe(sent);
    // One record of each.
    expect(readFileSync(results, 'utf8').split('\n')).toHaveLength(3);
  });

  test('never writes results to a file with other content', async () => {
    const one = path.join(folder, 'one.jsonl');
    for (const file of [one, computer.write('null.json', 'null\n')]) {
      const before = readFileSync(file, 'utf8');
      const { code, out, err } = await computer.run(['compare', '--results', file, one]);
      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(err).toContain('other content');
      expect(readFileSync(file, 'utf8')).toBe(before);
    }
  });

  test('names a broken session of a folder and why it is skipped', async () => {
    const mixed = path.join(computer.folder, 'mixed');
    mkdirSync(mixed);
    writeFileSync(path.join(mixed, 'good.jsonl'), sessionText(EDITED));
    writeFileSync(path.join(mixed, 'empty.jsonl'), '');
    const { code, err, out } = await computer.run(['compare', mixed]);
    expect(code).toBe(0);
    expect(err).toContain(`${path.join(mixed, 'empty.jsonl')}: Expected a session`);
    expect(out).toContain('1 session,');
  });

  test('plays only the named policies, and suggests the nearest name for an unknown one', async () => {
    const one = path.join(folder, 'one.jsonl');
    const { out } = await computer.run(['compare', '--json', '--policy', 'quiet', one]);
    const outcomes = jsonLines(out)[0]!['outcomes'] as { policy: string }[];
    expect(outcomes.map(({ policy }) => policy)).toEqual(['no-pruning', 'quiet']);
    const wrong = await computer.run(['compare', '--policy', 'specifcation', one]);
    expect(wrong).toMatchObject({ code: 2, out: '' });
    expect(wrong.err).toContain('Did you mean "specification"?');
  });

  test('writes one page, complete or not at all, and never to a session', async () => {
    const page = path.join(computer.folder, 'compare.html');
    const { code, out } = await computer.run(['compare', '-o', page, folder]);
    expect(code).toBe(0);
    expect(out).toContain('3 sessions,');
    const html = readFileSync(page, 'utf8');
    expect(html).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/);
    expect(html).toContain('The frontier');
    const again = await computer.run(['compare', '-o', page, folder]);
    expect(again).toMatchObject({ code: 1, out: '' });
    const one = path.join(folder, 'one.jsonl');
    const over = await computer.run(['compare', '--force', '-o', one, folder]);
    expect(over.code).toBe(1);
    expect(over.err).toContain('never changes in place');
    expect(readFileSync(one, 'utf8')).toBe(sessionText(EDITED));
  });

  test('compares nothing if its page cannot be written', async () => {
    const results = path.join(computer.folder, 'not-begun.jsonl');
    const compare = (output: string) => computer.run(['compare', '--results', results, '-o', output, folder]);
    const existing = computer.write('work/other.html', 'theirs');
    const places: readonly [string, string][] = [
      [path.join(computer.folder, 'missing', 'page.html'), 'Create it first.'],
      [computer.folder, 'Name a file in it.'],
      [existing, 'Use --force to replace it.'],
      [path.join(computer.folder, `${'long'.repeat(63)}.html`), 'the name is too long'],
      ['/proc/page.html', 'Expected to write /proc/page.html, but '],
    ];
    for (const [output, reason] of places) {
      const { code, out, err } = await compare(output);
      expect({ output, code, out }).toEqual({ output, code: 1, out: '' });
      expect(err).toContain(reason);
      expect(existsSync(results)).toBe(false);
    }
    expect(readFileSync(existing, 'utf8')).toBe('theirs');
  });

  test('skips broken links in a folder, and explains a named one', async () => {
    const linked = path.join(computer.folder, 'linked');
    mkdirSync(linked);
    writeFileSync(path.join(linked, 'good.jsonl'), sessionText(EDITED));
    const circle = path.join(linked, 'circle.jsonl');
    symlinkSync('circle.jsonl', circle);
    symlinkSync('missing.jsonl', path.join(linked, 'gone.jsonl'));
    const { code, out, err } = await computer.run(['compare', linked]);
    expect({ code, err }).toEqual({ code: 0, err: `next: density compare ${linked} --open\n` });
    expect(out).toContain('1 session,');
    const named = await computer.run(['compare', circle, `${'long'.repeat(70)}.jsonl`]);
    expect(named.code).not.toBe(0);
    expect(named.err).toContain('circle.jsonl, but its symbolic links go in a circle.');
    expect(named.err).toContain('but the name is too long.');
    expect(named.err).not.toContain('This is a bug');
  });

  test('says what is wrong with a named file, and ends with 1', async () => {
    const { code, err, out } = await computer.run(['compare', path.join(folder, 'one.jsonl'), 'missing.jsonl']);
    expect(code).toBe(1);
    expect(err).toContain('missing.jsonl');
    expect(out).toContain('1 session,');
  });
});
