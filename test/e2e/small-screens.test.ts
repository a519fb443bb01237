import { describe, expect, test } from 'vitest';
import { widthOf } from '../../src/cli/terminal/columns.ts';
import { claudeCodeSample } from '../formats/claude-code-fixture.ts';
import { geminiCliJsonSample } from '../formats/gemini-cli-fixture.ts';
import { Computer } from './density.ts';
import { TestTerminal } from './test-terminal.ts';

const planted = (): Computer => {
  const computer = new Computer();
  computer.write('.claude/projects/-work-shop/one.jsonl', claudeCodeSample.texts[0] ?? '');
  return computer;
};

describe('a narrow screen', () => {
  test('density sessions fits 40 columns, and leaves one head', async () => {
    const computer = planted();
    const terminal = new TestTerminal(['sessions'], { cwd: computer.folder, home: computer.home, columns: 40 });
    expect(await terminal.exited).toBe(0);
    const heads = terminal.lines().filter((line) => line.includes('tokens'));
    expect(heads).toHaveLength(1);
    expect(terminal.lines().filter((line) => /^[0-9a-f]{6} /.test(line))).toHaveLength(1);
  });

  test.each([40, 80, 200])(
    'density sessions fits %i columns, and shows what is largest, and first said, where there is room',
    async (columns) => {
      const computer = planted();
      computer.write('.claude/projects/-work-shop/two.jsonl', claudeCodeSample.texts[0] ?? '');
      const { out } = await computer.run(['sessions', '--exact'], { COLUMNS: String(columns) });
      const [head, ...rows] = out.trimEnd().split('\n');
      const isNarrow = columns === 40;
      expect(rows).toHaveLength(isNarrow ? 3 : 2);
      for (const line of [head, ...rows]) expect(widthOf(line ?? '')).toBeLessThanOrEqual(columns);
      expect(head).toMatch(isNarrow ? /^id +age +tokens +removable/ : /^id +agent +age +tokens +removable +project/);
      expect(head).toContain(isNarrow ? 'first' : 'first message');
      expect(out.includes('Too narrow for: agent, project.')).toBe(isNarrow);
      expect(out.includes('copy')).toBe(true);
    },
  );

  test.each([
    ['bill', /^model +calls .*bill$/m],
    ['compare', /^profile .*saved +bill +change$/m],
  ])('density %s leaves the columns that it is named after', async (command, head) => {
    const { out } = await planted().run([command], { COLUMNS: '40' });
    expect(out).toMatch(head);
    expect(out).toMatch(/^Too narrow for: (?:input, cached|peak, )/m);
  });

  test.each([['doctor'], ['inspect', 'latest'], ['stats']])('density %s has no longer line', async (...args) => {
    const computer = planted();
    const call = {
      at: Date.now(),
      agent: 'claude-code',
      isShadow: false,
      status: 200,
      isCount: false,
      addedMs: 1,
      model: 'claude-sonnet-4-5',
      usage: { promptTokens: 21_010, cachedTokens: 12_000, outputTokens: 70 },
      report: { changed: [{ kind: 'pruned', reason: 'a reason '.repeat(9).trim(), savedTokens: 9 }], savedTokens: 9 },
    };
    computer.write('.local/share/high-density/live/calls.jsonl', `${JSON.stringify(call)}\n`);
    const { code, out } = await computer.run(args, { COLUMNS: '40' });
    expect(code).toBe(0);
    // A path is one word.
    const long = out.split('\n').filter((line) => widthOf(line) > 40 && !line.includes('/'));
    expect(long).toEqual([]);
  });

  test('without a terminal, COLUMNS says how wide it is', async () => {
    const { out } = await planted().run(['sessions'], { COLUMNS: '40' });
    expect(out).toContain('agent');
    for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(40);
  });
});

test('help of what is no command suggests one', async () => {
  const { code, out, err } = await new Computer().run(['help', 'repaly']);
  expect([code, out]).toEqual([2, '']);
  expect(err).toContain("unknown command 'repaly'");
  expect(err).toContain('(Did you mean replay?)');
});

test('optimize --start of a session whose agent cannot find a new one names no option that it lacks', async () => {
  const computer = new Computer();
  const session = computer.write('.gemini/tmp/shop/chats/session-1.json', geminiCliJsonSample.texts[0] ?? '');
  const { code, err } = await computer.run(['optimize', session, '--start']);
  expect(code).toBe(1);
  expect(err).toContain('how its agent finds a new session is not known');
  expect(err).not.toMatch(/--install|Name an output/);
});
