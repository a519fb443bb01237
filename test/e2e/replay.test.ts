import { readFileSync, utimesSync } from 'node:fs';
import path from 'node:path';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { chainedSession } from '../../bench/sessions.ts';
import type { IContent } from '../../src/content/content.ts';
import { Computer, EDITED, jsonLines, ONLY_NEXT, outcomeOf, sessionText } from './density.ts';

const FIELDS = [
  'file',
  'format',
  'strategy',
  'engine',
  'turns',
  'entries',
  'tokensRaw',
  'tokensAfter',
  'tokensPeak',
  'contextLimit',
  'compressions',
  'removed',
  'pairsBroken',
  'gateMs',
  'stallMs',
  'skippedLines',
];

const RULES = [
  'readWritePairs',
  'fileInclusions',
  'recency',
  'reports',
  'skills',
  'thinking',
  'repeats',
  'shaped',
  'summarised',
  'dropped',
];

/** What docs/commands.md says of `density replay`, without the words around code. */
function documentedFields(): ReadonlySet<string> {
  const page = readFileSync(path.resolve(import.meta.dirname, '../../docs/commands.md'), 'utf8');
  const [, section = ''] = /\n## density replay\n([\s\S]*?)\n## /.exec(page) ?? [];
  const text = section.replaceAll(/^```[\s\S]*?^```/gm, '');
  return new Set([...text.matchAll(/`([^`]+)`/g)].flatMap(([, code = '']) => code.match(/\w+/g) ?? []));
}

const at = (file: string, seconds: number): void => utimesSync(file, seconds, seconds);

describe('density replay', () => {
  const computer = new Computer();
  const session = computer.write('edited.jsonl', sessionText(EDITED));

  test('prints one JSON object per session with every field', async () => {
    const { code, out, err } = await computer.run(['replay', '--json', session, session]);
    expect([code, err]).toEqual([0, ONLY_NEXT]);
    const lines = jsonLines(out);
    expect(lines).toHaveLength(2);
    for (const line of lines) {
      expect(Object.keys(line)).toEqual(expect.arrayContaining(FIELDS));
      expect([...Object.keys(line), ...RULES].filter((field) => !documentedFields().has(field))).toEqual([]);
      expect(Object.keys(line['removed'] as object)).toEqual(RULES);
      expect(Object.keys(line['gateMs'] as object)).toEqual(['p50', 'p99', 'max']);
      expect(Object.keys(line['stallMs'] as object)).toEqual(expect.arrayContaining(['p99', 'max']));
    }
    expect(lines[0]).toMatchObject({
      file: session,
      format: 'high-density',
      strategy: 'high-density',
      engine: 'offloaded',
      turns: 4,
      entries: 8,
      contextLimit: 272_000,
      removed: { readWritePairs: 1 },
      pairsBroken: 0,
      skippedLines: 0,
      pricedAs: 'gpt-5',
      priceMatch: 'exact',
      // The fixture's edit writes a whole file, so no edit says what it needs.
      evidencedEdits: 0,
      regrettedEdits: 0,
    });
    const { dollarsRaw, dollars, savedBy } = lines[0] as {
      dollarsRaw: number;
      dollars: number;
      savedBy: Record<string, { moves: number; dollars: number }>;
    };
    const saved = Object.values(savedBy).reduce((sum, cause) => sum + cause.dollars, 0);
    expect(saved).toBeCloseTo(dollarsRaw - dollars, 12);
  });

  test('says what `thinkingWhenCold: drop` would save where bound thinking keeps edits back, and then does it', async () => {
    const HOUR_MS = 3_600_000;
    const called = (number: number, name: string, parameters: object, result: string): IContent[] => [
      {
        speaker: 'ai',
        blocks: [
          { type: 'thinking', thought: `Thought ${number}.`, signature: 'signed' },
          { type: 'tool_call', id: `${name}-${number}`, name, parameters },
        ],
      },
      {
        speaker: 'tool',
        blocks: [{ type: 'tool_response', callId: `${name}-${number}`, toolName: name, result }],
      },
    ];
    const turn = (number: number): IContent[] => [
      { speaker: 'human', blocks: [{ type: 'text', text: `Look again, ${number}.` }] },
      ...called(number, 'read_file', { absolute_path: '/project/a.ts' }, `const at${number} = 1;\n`.repeat(400)),
      ...called(number, 'write_file', { file_path: '/project/a.ts', content: `const at${number} = 1;\n` }, 'ok'),
      { speaker: 'ai', blocks: [{ type: 'text', text: 'Seen.' }] },
    ];
    const entries = Array.from({ length: 12 }, (_, number) => turn(number))
      .flat()
      .map((entry, at) => ({ ...entry, metadata: { id: `entry-${at}`, timestamp: at * 2 * HOUR_MS } }));
    const bound = computer.write('bound.jsonl', sessionText(entries, { model: 'claude-opus-5-5' }));
    const OFFER = /with --thinking-when-cold drop: −[\d.]+% of the bill .* it would leave out \d+ thoughts? \(/;
    const kept = await computer.run(['replay', bound, '--profile', 'recommended']);
    expect(kept.out.replaceAll('\n', ' ')).toMatch(OFFER);
    const table = await computer.run(['replay', bound, session, '--profile', 'recommended']);
    expect(table.out.replaceAll('\n', ' ')).toMatch(OFFER);
    const dropped = await computer.run(['replay', bound, '--profile', 'recommended', '--thinking-when-cold', 'drop']);
    expect(dropped.out).toMatch(/thought/);
    expect(dropped.out).not.toMatch(/with --thinking-when-cold/);
  });

  test('begins with tokens, money and regrets, and says where no price or no evidence is', async () => {
    const { out } = await computer.run(['replay', session]);
    expect(out.replaceAll('\n', ' ')).toMatch(
      /−[\d.]+% of the bill \([^()]*\), −\d+% tokens of all calls together, no edit could show what was missed/,
    );
    const unknown = await computer.run(['replay', '--model', 'my-own-model', session]);
    expect(unknown.out.replaceAll('\n', ' ')).toContain('Give one in the setting `model-prices`');
    const [line] = jsonLines((await computer.run(['replay', '--json', '--model', 'my-own-model', session])).out);
    expect(line).toMatchObject({ dollars: null, dollarsRaw: null, priceMatch: 'unknown' });
  });

  test('compares no pruning and every strategy that asks no model', async () => {
    const { out } = await computer.run(['replay', '--all', '--json', session]);
    expect(jsonLines(out).map(({ strategy }) => strategy)).toEqual(['none', 'top-down-truncation', 'high-density']);
    const table = await computer.run(['replay', '--all', session]);
    expect(table.out).toMatch(/^none .*\n^top-down-truncation .*\n^high-density /m);
    expect(table.out.replaceAll('\n', ' ')).toMatch(
      /top-down-truncation removed nothing: it waits until the window is nearly full \(--threshold\), and the fullest call filled <?\d+% of it/,
    );
  });

  test('prints a line for each model call, before the result', async () => {
    const { out } = await computer.run(['replay', '--turns', '--json', session]);
    expect(jsonLines(out).map(({ turn, turns }) => turn ?? `of ${turns}`)).toEqual([1, 2, 3, 4, 'of 4']);
    const table = await computer.run(['replay', '--turns', session]);
    expect(table.out).toMatch(/^ +4 .*%.* ms$/m);
  });

  test('uses the settings of the command line', async () => {
    const { out } = await computer.run([
      'replay',
      '--json',
      session,
      '--read-write-pruning',
      'off',
      '--recency-pruning',
      'on',
      '--recency-retention',
      '1',
      '--context-limit',
      '10k',
      '--model',
      'gpt-4',
    ]);
    expect(jsonLines(out)[0]).toMatchObject({
      removed: { readWritePairs: 0, recency: 1 },
      contextLimit: 10_000,
      tokenizer: 'cl100k',
    });
  });

  test('says what each rule removed, in at most 80 columns and without colours in a pipe', async () => {
    for (const args of [[session], ['--all', session], ['--turns', session], [], [session, session]]) {
      const { out, err } = await computer.run(['replay', ...args]);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what must not be there
      expect(out + err).not.toMatch(/\u001b/);
      for (const line of out.split('\n')) expect(stringWidth(line)).toBeLessThanOrEqual(80);
    }
    const { out } = await computer.run(['replay', session]);
    expect(out).toMatch(/reads of files written later +1 +read /);
    expect(out).toContain('each call still has its result');
    expect((await computer.run(['replay', session], { FORCE_COLOR: '1' })).out).toContain('\u001b[');
  });

  test('is words and numbers only with --plain: no bars, curves or colours', async () => {
    for (const args of [
      ['replay', session],
      ['replay', '--turns', session],
      ['inspect', session],
    ]) {
      const { code, out, err } = await computer.run([...args, '--plain'], { FORCE_COLOR: '1' });
      expect(code).toBe(0);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what must not be there
      expect(out + err).not.toMatch(/[\u2580-\u259f\u25cf\u25b2\u001b]/);
      expect(out).toMatch(/\d%/);
    }
  });

  test('continues with the other sessions if one cannot be read, and fails at the end', async () => {
    const { code, out, err } = await computer.run(['replay', '--json', 'missing.jsonl', session]);
    expect(code).toBe(1);
    expect(jsonLines(out)).toHaveLength(1);
    expect(err).toContain('missing.jsonl');
  });

  test('stops at once on Ctrl-C and leaves no file', async () => {
    const pieces = chainedSession('high-density', { tokens: 2_000_000, seed: 1 }).pieces;
    const long = computer.write('long.jsonl', Buffer.concat([...pieces]));
    const child = computer.start(['replay', '--turns', '--json', long]);
    const ended = outcomeOf(child);
    child.stdout?.once('data', () => child.kill('SIGINT'));
    const { signal, out } = await ended;
    expect(signal).toBe('SIGINT');
    expect(out).not.toContain('"turns"');
  });

  test('ends quietly when its reader closes', async () => {
    const child = computer.start(['replay', '--turns', '--json', '--all']);
    child.stdout?.destroy();
    const { code, err } = await outcomeOf(child);
    expect(code).toBe(0);
    expect(err).not.toContain('EPIPE');
  });
});

describe('density replay without a session', () => {
  test('replays the bundled example if there is none, and says so on standard error', async () => {
    const { code, out, err } = await new Computer().run(['replay', '--json']);
    expect(code).toBe(0);
    expect(err).toContain('bundled example');
    expect(jsonLines(out)[0]).toMatchObject({ file: 'example', turns: 150, pairsBroken: 0 });
  });

  test('replays the newest readable session, says which, and what it skipped', async () => {
    const computer = new Computer();
    const ours = sessionText(EDITED);
    const older = computer.write('.claude/projects/-project/older.jsonl', ours);
    const newer = computer.write('.codex/sessions/2026/01/02/rollout-2026-01-02-newer.jsonl', ours);
    const empty = computer.write('.claude/projects/-project/empty.jsonl', '');
    const gemini = computer.write('.gemini/tmp/abc/chats/session-2026.json', '{"sessionId":"x","messages":[]}');
    const agent = computer.write('.claude/projects/-project/agent-1.jsonl', ours);
    for (const [index, file] of [older, newer, empty, gemini, agent].entries()) at(file, 1_700_000_000 + index);
    const { code, out, err } = await computer.run(['replay', '--json']);
    expect(code).toBe(0);
    expect(jsonLines(out)[0]).toMatchObject({ file: newer, turns: 4 });
    expect(err).toMatch(/Skipped ~\/\.gemini\/.*not a session in a known format of Gemini CLI/);
    expect(err).toMatch(/Skipped ~\/\.claude\/.*empty file/);
    expect(err).toMatch(/Newest session on this computer, from Codex: ~\/\.codex/);
  });

  test('searches the folders that the variables of the agents name', async () => {
    const computer = new Computer();
    const claude = computer.write('elsewhere/claude/projects/-p/one.jsonl', sessionText(EDITED));
    const codex = computer.write('elsewhere/codex/sessions/2026/01/01/rollout-two.jsonl', sessionText(EDITED));
    at(claude, 1_700_000_000);
    at(codex, 1_600_000_000);
    const places = {
      CLAUDE_CONFIG_DIR: path.join(computer.home, 'elsewhere/claude'),
      CODEX_HOME: path.join(computer.home, 'elsewhere/codex'),
    };
    expect(jsonLines((await computer.run(['replay', '--json'], places)).out)[0]).toMatchObject({ file: claude });
    const { CODEX_HOME } = places;
    expect(jsonLines((await computer.run(['replay', '--json'], { CODEX_HOME })).out)[0]).toMatchObject({ file: codex });
  });
});
