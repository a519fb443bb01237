import fc from 'fast-check';
import picocolors from 'picocolors';
import { describe, expect, test } from 'vitest';
import type { ChatStatus } from '../../src/chat/conversation.ts';
import { callLines, patchLine } from '../../src/cli/commands/chat/call-lines.ts';
import { gateLine, gateNote } from '../../src/cli/commands/chat/gate-line.ts';
import { FoldedPastes } from '../../src/cli/commands/chat/input/folded-pastes.ts';
import { edited } from '../../src/cli/commands/chat/input/line-editor.ts';
import { completedCommand, slashMenu } from '../../src/cli/commands/chat/input/slash-menu.ts';
import { outcomeLines } from '../../src/cli/commands/chat/outcome-lines.ts';
import { shownNotice, shownText } from '../../src/cli/commands/chat/shown-text.ts';
import { statusLine, usageLine } from '../../src/cli/commands/chat/status-line.ts';
import { widthOf } from '../../src/cli/terminal/columns.ts';
import type { ToolCallBlock } from '../../src/content/content.ts';
import type { GateReport } from '../../src/gate/report.ts';

const QUIET: GateReport = {
  promptId: 'p',
  source: 'chat',
  tokensBefore: 50_000,
  tokensAfter: 50_000,
  density: { kind: 'empty' },
  compression: { kind: 'not-needed' },
  enforcement: { kind: 'within-limit' },
  notices: [],
};
const PRUNED: GateReport = {
  ...QUIET,
  tokensAfter: 37_600,
  density: {
    kind: 'applied',
    metadata: { readWritePairsPruned: 3, fileDeduplicationsPruned: 1, recencyPruned: 0 },
    entriesRemoved: 6,
    entriesReplaced: 1,
    tokensBefore: 50_000,
    tokensAfter: 37_600,
  },
};
const STATUS: ChatStatus = {
  provider: 'openai',
  model: 'gpt-5',
  tokens: 37_600,
  limitTokens: 272_000,
  thresholdRatio: 0.85,
  strategy: 'high-density',
  engine: 'offloaded',
  isDegraded: false,
  lastGate: PRUNED,
  lastUsage: undefined,
  sessionId: 's',
  loadedShare: undefined,
};
const text = (status: ChatStatus, columns: number): string => {
  const { before, bar, after } = statusLine(status, columns);
  return before + bar + after;
};
const style = { colors: picocolors.createColors(false), columns: 80, isPlain: false };

describe('the status line', () => {
  test('says model, tokens, strategy, what the last gate run did, and the engine', () => {
    expect(text(STATUS, 120)).toBe(
      'gpt-5 · 37.6k of 272k █░░░░░░░░░ 14% · high-density · −12.4k tokens: 3 stale reads, 1 duplicate · threads',
    );
    expect(text({ ...STATUS, lastGate: undefined, engine: 'inline' }, 120)).toContain('· nothing pruned · inline');
    expect(text({ ...STATUS, loadedShare: 0.45 }, 120)).toContain('· reading 45% ·');
    expect(text({ ...STATUS, isDegraded: true }, 120)).toContain('threads lost');
  });

  test('shortens its bar before it cuts a word', () => {
    const status = { ...STATUS, model: 'qwen3-coder', lastGate: undefined };
    expect(text(status, 82)).toBe('qwen3-coder · 37.6k of 272k █░░░░ 14% · high-density · nothing pruned · threads');
    expect(text(status, 100)).toContain('█░░░░░░░░░ 14%');
  });

  test('fits every terminal of 60 columns or more, with any name of a model', () => {
    const status = fc.record({ model: fc.string({ minLength: 1, maxLength: 60 }), tokens: fc.nat(50_000_000) });
    fc.assert(
      fc.property(status, fc.integer({ min: 60, max: 200 }), (change, columns) => {
        const line = text({ ...STATUS, ...change }, columns);
        expect(widthOf(line)).toBeLessThanOrEqual(Math.max(columns, 70));
        expect(line).toContain('threads');
      }),
    );
  });

  test('shows if the threshold is near or reached', () => {
    const level = (tokens: number): string => statusLine({ ...STATUS, tokens }, 80).level;
    expect([10_000, 215_000, 240_000].map(level)).toEqual(['low', 'near', 'reached']);
  });
});

describe('what a gate run did', () => {
  test('says why edits apply now or wait', () => {
    const reason = 'waits: 14.2k tokens would rewrite 96k cached tokens';
    const waiting: GateReport = {
      ...QUIET,
      density: { kind: 'waiting', cause: 'costs', reason, waitingTokens: 14_200 },
    };
    expect(gateNote(QUIET)).toBeUndefined();
    expect(gateNote(PRUNED)).toBe(gateLine(PRUNED));
    expect([gateLine(waiting), gateNote(waiting)]).toEqual([undefined, reason]);
    expect(text({ ...STATUS, lastGate: waiting }, 120)).toContain('· 14.2k tokens wait ·');
    const cold = {
      ...PRUNED,
      density: { ...PRUNED.density, cause: 'cold', reason: 'removes 12.4k tokens' },
    } as GateReport;
    expect(gateNote(cold)).toBe('−12.4k tokens: 3 stale reads, 1 duplicate; removes 12.4k tokens');
  });

  test('is one line, or undefined if it did nothing', () => {
    expect(gateLine(QUIET)).toBeUndefined();
    expect(gateLine(PRUNED)).toBe('−12.4k tokens: 3 stale reads, 1 duplicate');
    const metadata = {
      originalMessageCount: 9,
      compressedMessageCount: 3,
      strategyUsed: 'one-shot',
      llmCallMade: true,
    };
    const counts = { entriesRemoved: 8, entriesCreated: 1, tokensBefore: 9, tokensAfter: 1 };
    expect(gateLine({ ...QUIET, tokensAfter: 9_000, compression: { kind: 'compressed', metadata, ...counts } })).toBe(
      '−41.0k tokens: compressed with one-shot',
    );
    expect(
      gateLine({
        ...QUIET,
        tokensAfter: 40_000,
        enforcement: { kind: 'enforced', lastResort: { entriesDropped: 2, humanEntriesDropped: 0, entriesShrunk: 1 } },
      }),
    ).toBe('−10.0k tokens: 2 oldest entries dropped, 1 result shortened');
  });
});

describe('a call', () => {
  const call = { type: 'tool_call', id: '1', name: 'read_file', parameters: { file_path: 'src/a.ts' } } as const;
  const response = { type: 'tool_response', callId: '1', toolName: 'read_file', result: 'one\ntwo\n' } as const;

  const done = { kind: 'result', call, response, ending: 'done', detail: [], tookMs: 5 } as const;

  test('is one line with its outcome', () => {
    expect(callLines(done, style)).toEqual({ head: ['✓ read_file src/a.ts — 2 lines'], detail: [], whole: undefined });
    expect(callLines({ ...done, tookMs: 2300 }, style).head).toEqual(['✓ read_file src/a.ts — 2 lines, 2.3 s']);
    expect(callLines(done, { ...style, columns: 22 }).head).toEqual(['✓ read_file src/a.ts', '  2 lines']);
  });

  test('says why it failed in full, and not what a refusal tells the model', () => {
    const error = `The file ${'very '.repeat(20)}far away does not exist.\nNothing was changed.`;
    const failed = callLines({ ...done, ending: 'failed', response: { ...response, result: '', error } }, style);
    expect(failed.head[0]).toBe('✗ read_file src/a.ts');
    expect(failed.head.join(' ').replaceAll(/ +/g, ' ')).toContain('far away does not exist.');
    const declined = { ...response, result: '', error: 'The user declined this call. Ask what to do instead.' };
    expect(callLines({ ...done, ending: 'declined', response: declined }, style)).toMatchObject({
      head: ['✗ read_file src/a.ts — declined'],
      detail: [],
    });
  });

  test('shows nothing that a terminal acts on, whatever the call and its error quote', () => {
    const foreign = fc.array(
      fc.constantFrom(
        '\u001b]0;title\u0007',
        '\u001b]52;c;aGk=\u0007',
        '\u001b[2J',
        '\r',
        '\u009b1A',
        '\u202e',
        '\n',
        'word ',
      ),
    );
    const acting = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;
    const ending = fc.constantFrom('done', 'failed', 'declined', 'cancelled');
    fc.assert(
      fc.property(ending, fc.array(foreign, { minLength: 4, maxLength: 4 }), (ending, parts) => {
        const [name, key, error, line] = parts.map((part) => part.join('')) as [string, string, string, string];
        const call: ToolCallBlock = { type: 'tool_call', id: '1', name, parameters: { file_path: key, command: key } };
        const event = { ...done, ending, call, detail: [`+${line}`], response: { ...response, error, result: error } };
        const { head, detail, whole = [] } = callLines(event, style);
        for (const shown of [...head, ...detail, ...whole]) expect(shown).not.toMatch(acting);
      }),
    );
  });

  test('of an edit shows the first changes, and keeps all for Ctrl-O', () => {
    const detail = ['@@ line 1 @@', ...Array.from({ length: 20 }, (_, at) => `+line ${at} ${'x'.repeat(100)}`)];
    const { head, detail: shown, whole } = callLines({ ...done, detail }, style);
    expect(head).toEqual(['✓ read_file src/a.ts — +20 −0']);
    expect(shown).toHaveLength(13);
    expect(Math.max(...shown.map((line) => widthOf(line)))).toBeLessThanOrEqual(80);
    expect(shown.at(-1)).toBe('  … 9 more lines, Ctrl-O shows all');
    expect(whole).toHaveLength(22);
    expect(whole?.at(-1)).toContain('x'.repeat(100));
  });

  test('of a command shows its last lines, as a terminal would', () => {
    const shell = { ...call, name: 'run_shell_command', parameters: { command: 'npm test' } };
    const result = '1%\r50%\r100%\n\u001b[31mred\u001b[39m\n3\n4\n5\n6\nlast\n';
    const { head, detail, whole } = callLines({ ...done, call: shell, response: { ...response, result } }, style);
    expect(head).toEqual(['✓ run_shell_command npm test — 7 lines']);
    expect(detail).toEqual(['  … 2 more lines, Ctrl-O shows all', '  3', '  4', '  5', '  6', '  last']);
    expect(whole?.slice(1, 3)).toEqual(['  100%', '  red']);
  });

  test('lines of a patch have their colours', () => {
    const colored = { colors: picocolors.createColors(true), columns: 80 };
    expect(['+a', '-a', ' a'].map((line) => patchLine(line, colored))).toEqual([
      '\u001b[32m+a\u001b[39m',
      '\u001b[31m-a\u001b[39m',
      ' a',
    ]);
  });
});

describe('the usage of the last call', () => {
  test('is what the provider reported, beside our count', () => {
    const usage = { promptTokens: 12_345, completionTokens: 210, totalTokens: 12_555, countedTokens: 12_400 };
    expect(usageLine({ ...usage, cachedTokens: 11_000 }, 100)).toBe(
      'last call: 12.3k in (11.0k cached) + 210 out = 12.6k tokens; counted 12.4k',
    );
    expect(usageLine(usage, 40)).toBe('last call: 12.3k in + 210 out = 12.6k t…');
    expect(usageLine(undefined, 80)).toBe('');
  });
});

describe('a long paste', () => {
  test('is one word of the line and is sent whole', () => {
    const pastes = new FoldedPastes();
    const long = Array.from({ length: 120 }, (_, at) => `line ${at}`).join('\n');
    expect(pastes.fold('one\ntwo')).toBe('one\ntwo');
    const line = `see ${pastes.fold(long)} and ${pastes.fold(long)}${pastes.fold('x'.repeat(3_000))}`;
    expect(pastes.shown(line)).toBe('see [pasted 120 lines] and [pasted 120 lines, no. 2][pasted 3,000 characters]');
    expect(pastes.whole(line)).toBe(`see ${long} and ${long}${'x'.repeat(3_000)}`);
    const cursor = line.length;
    expect(pastes.shown(edited({ text: line, cursor }, { kind: 'backspace' }).text)).toMatch(/no\. 2\]$/);
  });
});

describe('the menu of commands', () => {
  test('fits what is typed, and completes the chosen command', () => {
    const names = (line: string) => slashMenu(line)?.fitting.map(({ name }) => name);
    expect(slashMenu('/')?.fitting).toHaveLength(slashMenu('/')?.total ?? 0);
    expect(names('/se')).toEqual(['set', 'settings']);
    expect(['hello', '/set x', '/etc/hosts', ''].map(names)).toEqual([undefined, undefined, undefined, undefined]);
    expect(completedCommand('/se', 1)).toBe('/settings ');
    expect(completedCommand('/set', 0)).toBeUndefined();
    expect(completedCommand('/none', 0)).toBeUndefined();
  });
});

describe('the outcome of a slash command', () => {
  test('contains no control characters', () => {
    const lines = outcomeLines({ kind: 'todos', todos: [{ content: 'a\u001b[2Jb', status: 'in_progress' }] }, style);
    expect(lines).toEqual(['[>] a·[2Jb']);
    expect(shownText('a\u001b]0;title\u0007\tb\nc\r\u202e')).toBe('a]0;title  b\nc');
  });

  test('shows the shares of the context with bars, or with --plain in words only', () => {
    const shares = { bySpeaker: [{ name: 'you', tokens: 900 }], byTool: [], byFile: [] };
    const lines = (isPlain: boolean): string =>
      outcomeLines({ kind: 'context', shares, status: { ...STATUS, tokens: 1_000 } }, { ...style, isPlain }).join('\n');
    expect(lines(false)).toMatch(/you +900 +90% +█+/);
    expect(lines(true)).toMatch(/you +900 +90%$/);
  });

  test('shows only the start of a very long notice', () => {
    const notice = `Dropped: ${Array.from({ length: 5_000 }, (_, index) => `“message ${index}”`).join(', ')}.`;
    const shown = shownNotice(notice);
    expect(shown).toMatch(/^Dropped: “message 0”, .* … and [\d,]+ more characters$/);
    expect(shown.length).toBeLessThan(650);
    expect(shownNotice('short\u0007')).toBe('short·');
  });

  test('says why a compression changed nothing', () => {
    const none = { tokensBefore: 5, tokensAfter: 5, tookMs: 1, kind: 'compressed' } as const;
    const lines = (outcome: Parameters<typeof outcomeLines>[0]): string => outcomeLines(outcome, style).join('\n');
    expect(lines({ ...none, outcome: { kind: 'unchanged', reason: 'not-smaller' } })).toContain('not become smaller');
    expect(lines({ ...none, outcome: { kind: 'cooling-down', turnsLeft: 1 } })).toContain('in 1 turn');
    expect(
      lines({ kind: 'undone', restoration: { kind: 'nothing-to-restore' }, tokensBefore: 5, tokensAfter: 5 }),
    ).toBe('No compression to undo in this session.');
  });
});
