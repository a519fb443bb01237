import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { IContent, ToolResponseBlock } from '../../../src/content/content.ts';
import { PRUNED_RESULT } from '../../../src/content/pruned-result.ts';
import { VOCABULARIES } from '../../../src/content/vocabularies/index.ts';
import type { CompressionContext } from '../../../src/strategies/contract.ts';
import { HighDensityStrategy } from '../../../src/strategies/high-density/high-density.ts';
import { generatedHistory } from '../../generated-history.ts';
import { runs } from '../../property-runs.ts';
import { compressionContext, entryTokens, totalTokens } from '../compression-context.ts';
import { ai, call, exchange, human, image, response, text, tool } from '../conversation.ts';

type Settings = NonNullable<Parameters<typeof compressionContext>[1]>;

const compress = (history: readonly IContent[], settings: Settings = {}, more: Partial<CompressionContext> = {}) =>
  new HighDensityStrategy().compress(compressionContext(history, settings, more));

const lines = (count: number): string => Array.from({ length: count }, (_, at) => `line ${at}`).join('\n');

/** The first response of the history after compressing it with nothing preserved. */
async function summaryOf(
  history: readonly IContent[],
  strategy = new HighDensityStrategy(),
): Promise<ToolResponseBlock> {
  const { newHistory } = await strategy.compress(compressionContext(history, { preserve: 0 }));
  const found = newHistory.flatMap(({ blocks }) => blocks).find(({ type }) => type === 'tool_response');
  return found as ToolResponseBlock;
}

describe('HighDensityStrategy.compress', () => {
  test('summarises results before the tail and returns the assembled result (REQ-HD-008.3, REQ-HD-008.5)', async () => {
    const history = [
      human('go'),
      ...exchange('r', 'read_file', 'src/index.ts', { result: lines(245) }),
      ...Array.from({ length: 6 }, () => ai('ok')),
    ];
    const { newHistory, metadata } = await compress(history);
    expect(newHistory[2]).toEqual(
      tool(response('r', 'read_file', { result: '[read_file: src/index.ts — success, 245 lines]' })),
    );
    expect(metadata).toEqual({
      originalMessageCount: 9,
      compressedMessageCount: 9,
      strategyUsed: 'high-density',
      llmCallMade: false,
    });
  });

  test('preserves the tail, enlarged only by what its pairs need (REQ-HD-008.2, row 15)', async () => {
    const big = { result: lines(99) };
    const history = [
      ...exchange('1', 'glob', {}, big),
      ai(call('2', 'glob', {}), call('3', 'glob', {})),
      ...exchange('4', 'glob', {}, big),
      tool(response('2', 'glob', big)),
      tool(response('3', 'glob', big)),
    ];
    const { newHistory } = await compress(history, { preserve: 0.1 });
    const kept = newHistory.map((entry, at) => entry === history[at]);
    expect(kept).toEqual([true, false, true, true, false, true, true]);
  });

  test('preserves everything when the tail covers all', async () => {
    const history = exchange('r', 'glob', {}, { result: lines(99) });
    expect((await compress(history, { preserve: 1, limit: 1 })).newHistory).toEqual(history);
    expect((await compress(history, { preserve: 0.2, limit: 1 })).newHistory).toEqual(history);
  });

  test('keeps human messages, ai text, thinking and calls as they are (REQ-HD-008.4)', async () => {
    const thinking = { type: 'thinking', thought: 'hm', signature: 'c2ln' } as const;
    const history = [
      human('go', image),
      ai(thinking, 'reading', call('r', 'read_file', 'a.ts')),
      tool(response('r', 'read_file', { result: lines(99) }), image),
      human('on'),
    ];
    const { newHistory } = await compress(history, { preserve: 0 });
    expect([0, 1, 3].every((at) => newHistory[at] === history[at])).toBe(true);
    expect(newHistory[2]!.blocks[1]).toBe(image);
  });

  test('leaves results in human and ai entries', async () => {
    const mixed = human(response('r', 'read_file', { result: lines(99) }), text('see'));
    const { newHistory } = await compress([ai(call('r', 'read_file', 'a.ts')), mixed, ai('ok')], { preserve: 0 });
    expect(newHistory[1]).toBe(mixed);
  });

  test('human words and all kept ai and tool groups survive at any limit (law 4)', async () => {
    await fc.assert(
      fc.asyncProperty(generatedHistory(), fc.integer({ min: 0, max: 5000 }), async (history, limit) => {
        const { newHistory } = await compress(history, { limit });
        const humans = history.filter(({ speaker }) => speaker === 'human');
        expect(newHistory.filter(({ speaker }) => speaker === 'human')).toEqual(humans);
      }),
      { numRuns: runs(1000) },
    );
  });

  test('targets threshold × limit × 0.6 by dropping the oldest groups, no more than needed (REQ-HD-008.6, BR-THRESH-004, row 13)', async () => {
    const turn = (id: string): IContent[] => exchange(id, 'run_shell_command', { command: 'x'.repeat(400) });
    const history = [human('go'), ...Array.from({ length: 50 }, (_, at) => turn(`c${at}`)).flat()];
    const limit = 8000;
    const { newHistory } = await compress(history, { limit });
    const target = Math.floor(0.85 * limit * 0.6);
    expect(totalTokens(newHistory)).toBeLessThanOrEqual(target);
    expect(totalTokens(newHistory) + totalTokens(turn('c10')) * 1.1).toBeGreaterThan(target);
    expect(newHistory[0]).toBe(history[0]);
    const firstKept = history.indexOf(newHistory[1]!);
    expect(newHistory).toHaveLength(1 + history.length - firstKept);
  });

  test('one prompt followed by 300 tool turns still compresses to the target (row 15)', async () => {
    const turns = Array.from({ length: 300 }, (_, at) =>
      exchange(`c${at}`, 'read_file', `f${at}.ts`, { result: lines(60) }),
    );
    const history = [human('the whole task'), ...turns.flat()];
    const limit = Math.ceil(totalTokens(history) * 0.6);
    const { newHistory } = await compress(history, { limit });
    expect(totalTokens(newHistory)).toBeLessThanOrEqual(0.85 * limit * 0.6);
    expect(newHistory[0]).toBe(history[0]);
  });

  test('a target out of reach leaves human words and the tail (row 13)', async () => {
    const history = [human('a'), ai('b'), ...exchange('r', 'glob', {}), human('c'), ai('d'), ai('e')];
    const { newHistory } = await compress(history, { limit: 0, preserve: 0.15 });
    expect(newHistory).toEqual([history[0], history[4], history[5], history[6]]);
  });

  test('a short result is replaced as well, even where the summary is longer (REQ-HD-008.3, law 2)', async () => {
    const history = [...exchange('r', 'read_file', 'a.ts', { result: 'ok' }), human('go')];
    const { newHistory } = await compress(history, { preserve: 0 });
    expect(newHistory[1]).toEqual(tool(response('r', 'read_file', { result: '[read_file: a.ts — success, 2 chars]' })));
  });

  test('is never larger where results are longer than a line (law 2)', async () => {
    await fc.assert(
      fc.asyncProperty(generatedHistory(), async (history) => {
        const long = history.map((entry) => ({
          ...entry,
          blocks: entry.blocks.map((block) =>
            block.type === 'tool_response' ? { ...block, result: lines(40) } : block,
          ),
        }));
        const { newHistory } = await compress(long, { preserve: 0 });
        expect(totalTokens(newHistory)).toBeLessThanOrEqual(totalTokens(long));
      }),
      { numRuns: runs(1000) },
    );
  });

  test('counts each entry a fixed number of times, however many it drops (row 13)', async () => {
    let counted = 0;
    const estimateTokens = async (contents: readonly IContent[]): Promise<number> => {
      counted += contents.length;
      return contents.reduce((sum, content) => sum + entryTokens(content), 0);
    };
    const history = Array.from({ length: 500 }, (_, at) => exchange(`c${at}`, 'glob', {})).flat();
    await compress(history, { limit: 0 }, { estimateTokens });
    expect(counted).toBeLessThanOrEqual(2 * history.length);
  });

  test('compressing twice is compressing once (row 14)', async () => {
    await fc.assert(
      fc.asyncProperty(generatedHistory(), async (history) => {
        const once = await compress(history, { preserve: 0 });
        const twice = await compress(once.newHistory, { preserve: 0 });
        expect(twice.newHistory.every((entry, at) => entry === once.newHistory[at])).toBe(true);
      }),
      { numRuns: runs(1000) },
    );
  });
});

describe('the one-line summary', () => {
  test.each([
    ['several lines', 'a\nb\n', '[read_file: a.ts — success, 2 lines]'],
    ['one line', 'hello', '[read_file: a.ts — success, 5 chars]'],
    ['an output field', { output: 'a\nb\nc', exitCode: 1 }, '[read_file: a.ts — success, 3 lines]'],
    ['another object', { rows: [1] }, '[read_file: a.ts — success]'],
    ['nothing', null, '[read_file: a.ts — success]'],
    ['words about failure', 'Error: not found', '[read_file: a.ts — success, 16 chars]'],
  ])('of %s (REQ-HD-008.3, row 14)', async (_, result, expected) => {
    expect((await summaryOf(exchange('r', 'read_file', 'a.ts', { result }))).result).toBe(expected);
  });

  test('takes the key parameter from the call, also with reused ids (row 14, row 7)', async () => {
    const history = [
      ...exchange('x', 'run_shell_command', { command: 'npm test' }),
      ...exchange('x', 'run_shell_command', { command: 'ls' }),
    ];
    expect((await summaryOf(history)).result).toBe('[run_shell_command: npm test — success, 11 chars]');
  });

  test('an orphan has no key parameter', async () => {
    expect((await summaryOf([tool(response('r', 'grep'))])).result).toBe('[grep — success, 11 chars]');
  });

  test('an error keeps its first line, and its own field, both cut at 200 characters (row 14, row 20)', async () => {
    const error = `${'e'.repeat(250)}\nat line 2`;
    const summary = await summaryOf(exchange('r', 'read_file', 'a.ts', { error, result: null, isComplete: true }));
    expect(summary).toEqual({
      type: 'tool_response',
      callId: 'r',
      toolName: 'read_file',
      isComplete: true,
      result: `[read_file: a.ts — error: ${'e'.repeat(200)}]`,
      error: 'e'.repeat(200),
    });
  });

  test('a summary and a pointer are not summarised again (row 14)', async () => {
    for (const result of ['[read_file: a.ts — success, 3 lines]', '[read_file — error: gone]', PRUNED_RESULT]) {
      expect((await summaryOf(exchange('r', 'read_file', 'a.ts', { result }))).result).toBe(result);
    }
  });

  test('uses the vocabulary it was made with (row 26)', async () => {
    const strategy = new HighDensityStrategy({ vocabulary: VOCABULARIES.get('codex')! });
    const history = exchange('r', 'shell', { command: ['bash', '-lc', 'go test ./...'] });
    expect((await summaryOf(history, strategy)).result).toBe('[shell: go test ./... — success, 11 chars]');
  });
});
