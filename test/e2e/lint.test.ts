import { describe, expect, test } from 'vitest';
import { Computer, EDITED, jsonLines, sessionText } from './density.ts';

describe('density inspect --lint', () => {
  const computer = new Computer();

  test('finds nothing in a valid session, and ends with 0', async () => {
    const session = computer.write('whole.jsonl', sessionText(EDITED));
    const { code, out } = await computer.run(['inspect', '--lint', session]);
    expect(code).toBe(0);
    expect(out).toContain('Nothing that is checked here would be refused.');
  });

  test('lists what a provider would refuse in the body of a request, and ends with 1', async () => {
    const body = computer.write(
      'body.json',
      JSON.stringify({
        model: 'claude-sonnet-4-5',
        max_tokens: 100,
        messages: [
          { role: 'user', content: 'Go.' },
          { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'Read', input: {} }] },
          { role: 'user', content: 'Are you there?' },
        ],
      }),
    );
    const { code, out } = await computer.run(['inspect', '--lint', body]);
    expect(code).toBe(1);
    expect(out).toContain('refused  #2 Call toolu_1 of Read has no result');
    const { out: json } = await computer.run(['inspect', '--lint', '--json', body]);
    expect(jsonLines(json)[0]).toMatchObject({ entries: 3, findings: [{ rule: 'unanswered-call', position: 2 }] });
  });

  test('names the content of a first message that is null, and not the user who seems to be missing', async () => {
    const messages = [
      { role: 'user', content: null },
      { role: 'assistant', content: [{ type: 'text', text: 'Yes?' }] },
      { role: 'user', content: [{ type: 'text', text: 'Go.' }] },
    ];
    const body = computer.write('null.json', JSON.stringify({ model: 'claude-opus-4-6', max_tokens: 9, messages }));
    const { code, out } = await computer.run(['inspect', '--lint', '--json', body]);
    expect(code).toBe(1);
    expect(jsonLines(out)[0]).toMatchObject({ findings: [{ rule: 'empty-entry', severity: 'refused', position: 1 }] });
  });

  test('finds empty messages in a body, which its history does not contain, and lists each finding once', async () => {
    const messages = [
      { role: 'user', content: 'Go.' },
      { role: 'assistant', content: [] },
      { role: 'user', content: 'Well?' },
      { role: 'assistant', content: '  ' },
      { role: 'user', content: 'Well?' },
    ];
    const body = computer.write('hollow.json', JSON.stringify({ model: 'claude-sonnet-4-5', max_tokens: 1, messages }));
    const { code, out } = await computer.run(['inspect', '--lint', body]);
    expect(code).toBe(1);
    expect(out).toContain('refused  #1 messages[1] has no content');
    expect(out).toContain('refused  #3 messages[3] has a text of nothing, or of nothing but blanks. empty-text');
    expect(out).toContain('2 refused, 0 doubtful.');
  });

  test('finds markers in the files of a folder', async () => {
    computer.write('work/one.ts', 'first\n// ⟦density: 40 lines as shown above by Read a.ts, from "x" #k3x9qz⟧\n');
    computer.write('work/deep/two.md', 'A marker is a line such as ⟦density: …\n[density: Read a.ts, removed]\n');
    computer.write('work/node_modules/x/three.md', '[density: Read a.ts, removed]\n');
    const { code, out } = await computer.run(['inspect', '--lint', '--files', `${computer.home}/work`]);
    expect(code).toBe(1);
    expect(out).toContain('one.ts:2 ⟦density: 40 lines as shown above by Read a.ts, from "x" #k3x9qz⟧');
    expect(out).toContain('two.md:2 [density: Read a.ts, removed]');
    expect(out).toContain('2 lines with a marker.');
    const { out: json } = await computer.run(['inspect', '--lint', '--json', '--files', `${computer.home}/work/deep`]);
    expect(jsonLines(json)[0]).toMatchObject({ markers: [{ file: 'two.md', line: 2 }] });
    const none = await computer.run(['inspect', '--lint', '--files', `${computer.home}/work/node_modules/none`]);
    expect(none).toMatchObject({ code: 0, out: expect.stringContaining('No file has a marker.') });
  });

  test('a step reports its edits as data', async () => {
    const session = computer.write('certified.jsonl', sessionText(EDITED));
    const out = `${computer.folder}/smaller.jsonl`;
    const run = await computer.run(['optimize', session, '-o', out, '--json', '--certificate']);
    expect(run.code).toBe(0);
    const laws = { pairsIntact: true, notLarger: true, humanWordsKept: true, idempotent: true };
    expect(jsonLines(run.out)[0]).toMatchObject({
      certificates: [
        { kind: 'optimized', firstChangedEntry: 1, laws, items: [{ rule: 'staleRead' }, { rule: 'staleRead' }] },
      ],
    });
  });
});
