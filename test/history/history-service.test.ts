import { EventEmitter } from 'node:events';
import { describe, expect, expectTypeOf, test } from 'vitest';
import type { ContentBlock, IContent, ToolCallBlock, ToolResponseBlock } from '../../src/content/content.ts';
import type { HistoryVersion } from '../../src/history/entries/entry-log.ts';
import { History } from '../../src/history/history.ts';
import { HistoryService } from '../../src/history/history-service.ts';
import { type HistoryStatistics, ReadableHistory } from '../../src/history/readable-history.ts';
import type { IdGenerator } from '../../src/history/views/tool-call-ids.ts';
import type { DensityResult } from '../../src/strategies/contract.ts';
import { ai, answer, call, createHistory, human, RecordingEngine, tokensOf } from './entries.ts';

const density = (removals: number[], replacements: [number, IContent][] = []): DensityResult => ({
  removals,
  replacements: new Map(replacements),
  metadata: { readWritePairsPruned: 0, fileDeduplicationsPruned: 0, recencyPruned: 0 },
});

describe('the surface of the class it replaces', () => {
  test('needs no argument, is an EventEmitter and counts exactly by itself', async () => {
    const history = new HistoryService();
    expect(history).toBeInstanceOf(EventEmitter);
    // What changes a conversation, what is read of it, and the names of the replaced class.
    expect(Object.getPrototypeOf(HistoryService)).toBe(ReadableHistory);
    expect(Object.getPrototypeOf(ReadableHistory)).toBe(History);
    expect(Object.getPrototypeOf(History)).toBe(EventEmitter);
    history.add(human('hello world'));
    await history.waitForTokenUpdates();
    expect(history.getTotalTokens()).toBe(2);
  });

  test('has every method with its signature', () => {
    type H = HistoryService;
    expectTypeOf<ConstructorParameters<typeof HistoryService>['length']>().toEqualTypeOf<0 | 1>();
    expectTypeOf<H['add']>().toEqualTypeOf<(content: IContent, modelName?: string) => void>();
    expectTypeOf<H['addAll']>().toEqualTypeOf<(contents: readonly IContent[], modelName?: string) => void>();
    expectTypeOf<H['replaceAll']>().toEqualTypeOf<
      (contents: readonly IContent[], modelName?: string) => Promise<void>
    >();
    expectTypeOf<H['clear']>().toEqualTypeOf<() => void>();
    expectTypeOf<H['getAll']>().toEqualTypeOf<() => IContent[]>();
    expectTypeOf<H['getComprehensive']>().toEqualTypeOf<() => IContent[]>();
    expectTypeOf<H['getCurated']>().toEqualTypeOf<() => IContent[]>();
    expectTypeOf<H['getCuratedForProvider']>().toEqualTypeOf<(tail?: readonly IContent[]) => IContent[]>();
    expectTypeOf<H['getRawHistory']>().toEqualTypeOf<() => readonly IContent[]>();
    expectTypeOf<H['getRecent']>().toEqualTypeOf<(count: number) => IContent[]>();
    expectTypeOf<H['getLastUserContent']>().toEqualTypeOf<() => IContent | undefined>();
    expectTypeOf<H['getLastAIContent']>().toEqualTypeOf<() => IContent | undefined>();
    expectTypeOf<H['recordTurn']>().toEqualTypeOf<
      (user: IContent, ai: IContent, tools?: readonly IContent[]) => void
    >();
    expectTypeOf<H['pop']>().toEqualTypeOf<() => IContent | undefined>();
    expectTypeOf<H['removeLastIfMatches']>().toEqualTypeOf<(content: IContent) => boolean>();
    expectTypeOf<H['length']>().toEqualTypeOf<() => number>();
    expectTypeOf<H['isEmpty']>().toEqualTypeOf<() => boolean>();
    expectTypeOf<H['clone']>().toEqualTypeOf<() => IContent[]>();
    expectTypeOf<H['merge']>().toEqualTypeOf<(other: HistoryService) => void>();
    expectTypeOf<H['toJSON']>().toEqualTypeOf<() => string>();
    expectTypeOf(HistoryService.fromJSON).toBeCallableWith('[]');
    expectTypeOf(HistoryService.fromJSON).returns.toEqualTypeOf<HistoryService>();
    expectTypeOf<H['getTotalTokens']>().toEqualTypeOf<() => number>();
    expectTypeOf<H['getBaseTokenOffset']>().toEqualTypeOf<() => number>();
    expectTypeOf<H['setBaseTokenOffset']>().toEqualTypeOf<(tokens: number) => void>();
    expectTypeOf<H['syncTotalTokens']>().toEqualTypeOf<(actualTotal: number) => void>();
    expectTypeOf<H['resetTokenAccounting']>().toEqualTypeOf<() => void>();
    expectTypeOf<H['estimateTokensForContents']>().toEqualTypeOf<
      (contents: readonly IContent[], modelName?: string) => Promise<number>
    >();
    expectTypeOf<H['estimateTokensForText']>().toEqualTypeOf<(text: string, modelName?: string) => Promise<number>>();
    expectTypeOf<H['setActiveTokenizationTarget']>().toEqualTypeOf<(model: string, provider?: string) => void>();
    expectTypeOf<H['recalculateTokens']>().toEqualTypeOf<(modelName?: string) => Promise<void>>();
    expectTypeOf<H['recalculateTotalTokens']>().toEqualTypeOf<(modelName?: string) => Promise<void>>();
    expectTypeOf<H['applyDensityResult']>().toEqualTypeOf<
      (result: DensityResult, base?: HistoryVersion) => Promise<void>
    >();
    expectTypeOf<H['replaceToolResponseBlock']>().toEqualTypeOf<
      (entryIndex: number, blockIndex: number, block: ToolResponseBlock, modelName?: string) => Promise<boolean>
    >();
    expectTypeOf<H['waitForTokenUpdates']>().toEqualTypeOf<() => Promise<void>>();
    expectTypeOf<H['startCompression']>().toEqualTypeOf<() => void>();
    expectTypeOf<H['endCompression']>().toEqualTypeOf<(summary?: IContent, itemsCompressed?: number) => void>();
    expectTypeOf<H['waitForPendingOperations']>().toEqualTypeOf<() => Promise<void>>();
    expectTypeOf<H['findUnmatchedToolCalls']>().toEqualTypeOf<() => ToolCallBlock[]>();
    expectTypeOf<H['validateAndFix']>().toEqualTypeOf<() => void>();
    expectTypeOf<H['getWithinTokenLimit']>().toEqualTypeOf<
      (maxTokens: number, countTokensFn: (content: IContent) => number) => IContent[]
    >();
    expectTypeOf<H['summarizeOldHistory']>().toEqualTypeOf<
      (keepRecentCount: number, summarizeFn: (contents: IContent[]) => Promise<IContent>) => Promise<void>
    >();
    expectTypeOf<H['getStatistics']>().toEqualTypeOf<() => HistoryStatistics>();
    expectTypeOf<H['generateTurnKey']>().toEqualTypeOf<() => string>();
    expectTypeOf<H['generateHistoryId']>().toEqualTypeOf<
      (turnKey: string, callIndex: number, providerName?: string, rawId?: string, toolName?: string) => string
    >();
    expectTypeOf<H['getIdGeneratorCallback']>().toEqualTypeOf<(turnKey?: string) => IdGenerator>();
    expectTypeOf<H['dispose']>().toEqualTypeOf<() => void>();
  });
});

describe('reading', () => {
  const entries = [human('one'), ai('two'), call('c1'), answer('c1'), human('three')];

  test('`getAll` and `getComprehensive` return shallow copies in order', () => {
    const history = createHistory(entries);
    expect(history.getAll()).toEqual(entries);
    expect(history.getComprehensive()).toEqual(entries);
    expect(history.getAll()[0]).toBe(entries[0]);
    history.getAll().pop();
    expect(history.length()).toBe(5);
  });

  test('`getRawHistory` is one live view of the backing array (REQ-HD-003.5)', async () => {
    const history = createHistory(entries);
    const raw = history.getRawHistory();
    history.add(human('four'));
    expect(raw).toHaveLength(6);
    await history.applyDensityResult(density([0, 1]));
    expect(raw).toHaveLength(4);
    await history.replaceAll([human('x')]);
    expect(raw).toEqual([human('x')]);
    history.clear();
    expect(raw).toEqual([]);
    expect(history.getRawHistory()).toBe(raw);
  });

  test('`getCurated` leaves out ai entries that say nothing, and nothing else', () => {
    const blank = [human('  '), ai(' \n'), answer('c9', undefined)];
    expect(createHistory([...blank, ...entries]).getCurated()).toEqual([blank[0], blank[2], ...entries]);
  });

  test('`getRecent` returns the newest entries in order', () => {
    const history = createHistory(entries);
    expect(history.getRecent(2)).toEqual(entries.slice(3));
    expect(history.getRecent(99)).toEqual(entries);
    expect(history.getRecent(0)).toEqual([]);
  });

  test('`getLastUserContent` and `getLastAIContent` return the newest of their speaker, or undefined (docs/readings.md, row 42)', () => {
    const history = createHistory(entries);
    expect(history.getLastUserContent()).toBe(entries[4]);
    expect(history.getLastAIContent()).toBe(entries[2]);
    expect(createHistory().getLastUserContent()).toBeUndefined();
    expect(createHistory().getLastAIContent()).toBeUndefined();
  });

  test('`length` and `isEmpty` say how much there is', () => {
    expect([createHistory(entries).length(), createHistory(entries).isEmpty()]).toEqual([5, false]);
    expect([createHistory().length(), createHistory().isEmpty()]).toEqual([0, true]);
  });

  test('`getStatistics` counts entries by speaker and tool blocks, and sums the reported tokens', async () => {
    const history = createHistory(entries);
    history.setBaseTokenOffset(7);
    await history.waitForTokenUpdates();
    const counts = { totalMessages: 5, userMessages: 2, aiMessages: 2, toolCalls: 1, toolResponses: 1 };
    expect(history.getStatistics()).toStrictEqual(counts);
    const usage = (totalTokens: number) => ({ promptTokens: 1, completionTokens: 1, totalTokens });
    history.add({ ...ai('four'), metadata: { usage: usage(40) } });
    history.add({ ...ai('five'), metadata: { usage: usage(2) } });
    expect(history.getStatistics()).toStrictEqual({ ...counts, totalMessages: 7, aiMessages: 4, totalTokens: 42 });
  });

  test('`getWithinTokenLimit` returns the newest entries that fit and starts later rather than split a pair', () => {
    const history = createHistory(entries);
    const ten = (): number => 10;
    expect(history.getWithinTokenLimit(30, ten)).toEqual(entries.slice(2));
    expect(history.getWithinTokenLimit(20, ten)).toEqual(entries.slice(4));
    expect(history.getWithinTokenLimit(1000, ten)).toEqual(entries);
    expect(history.getWithinTokenLimit(9, ten)).toEqual([]);
  });

  test('`clone` returns deep copies of the entries', () => {
    const history = createHistory(entries);
    const copies = history.clone();
    history.clear();
    expect(copies).toEqual(entries);
    for (const [at, copy] of copies.entries()) {
      expect(copy).not.toBe(entries[at]);
      expect(copy.blocks[0]).not.toBe(entries[at]!.blocks[0]);
    }
  });

  test('`toJSON` and `fromJSON` are a round trip', async () => {
    const history = createHistory(entries);
    const read = HistoryService.fromJSON(history.toJSON(), { engine: new RecordingEngine() });
    expect(read.getAll()).toEqual(entries);
    await read.waitForTokenUpdates();
    expect(read.getTotalTokens()).toBe(tokensOf(entries));
  });

  test.each([
    ['{"speaker":', 'not JSON'],
    ['{}', 'type object'],
    ['[{"speaker":"robot","blocks":[]}]', '"robot" at index 0'],
    ['[{"speaker":"ai","blocks":[]}]', 'zero blocks at index 0'],
    ['[{"speaker":"ai","blocks":[null]}]', 'with a fault: block 0 has no known `type` at index 0'],
    ['[{"speaker":"human","blocks":[{"type":"text"}]}]', 'block 0 (text) has no text in `text`'],
    ['[{"speaker":"ai","blocks":[{"type":"text","text":"a"}],"metadata":1}]', 'expected an object in `metadata`'],
  ])('`fromJSON` refuses %s and says why', (json, reason) => {
    expect(() => HistoryService.fromJSON(json)).toThrowError(
      expect.objectContaining({ code: 'HISTORY_INVALID', message: expect.stringContaining(reason) }),
    );
  });
});

test('`fromJSON` accepts an error that is null (docs/readings.md, row 36)', () => {
  const entry = {
    speaker: 'tool',
    blocks: [{ type: 'tool_response', callId: 'c', toolName: 't', result: 1, error: null }],
  };
  expect(HistoryService.fromJSON(JSON.stringify([entry])).getAll()).toEqual([entry]);
});

describe('changing', () => {
  test('`add` appends the very object, emits `contentAdded` at once and `tokensUpdated` with the entry’s id', async () => {
    const history = createHistory();
    const added: IContent[] = [];
    const updates: unknown[] = [];
    history.on('contentAdded', (content) => added.push(content));
    history.on('tokensUpdated', (update) => updates.push(update));
    const entry = human('hello', 'h1');
    history.setBaseTokenOffset(100);
    history.add(entry);
    expect(added[0]).toBe(entry);
    await history.waitForTokenUpdates();
    const tokens = tokensOf([entry]);
    expect(updates).toEqual([
      { totalTokens: 100, addedTokens: 100, contentId: null },
      { totalTokens: 100 + tokens, addedTokens: tokens, contentId: 'h1' },
    ]);
  });

  test.each([
    ['zero blocks', { speaker: 'ai', blocks: [] }],
    ['an unknown speaker', { speaker: 'robot', blocks: [{ type: 'text', text: 'x' }] }],
    ['no blocks', { speaker: 'ai' }],
    ['no entry', null],
  ])('`add` refuses an entry with %s and writes a debug line', (_name, entry) => {
    const lines: string[] = [];
    const history = createHistory([], { logger: { debug: (line) => lines.push(line) } });
    history.add(entry as IContent);
    expect(history.isEmpty()).toBe(true);
    expect(lines).toHaveLength(1);
  });

  test('when a `contentAdded` listener throws, the entry is removed and the error rethrown', async () => {
    const history = createHistory([human('before')]);
    history.once('contentAdded', () => {
      throw new Error('listener');
    });
    expect(() => history.add(human('after'))).toThrow('listener');
    await history.waitForTokenUpdates();
    expect(history.getAll()).toEqual([human('before')]);
    expect(history.getTotalTokens()).toBe(tokensOf([human('before')]));
  });

  const malformed: readonly [string, unknown][] = [
    ['null', null],
    ['a text block without text', { type: 'text' }],
    ['an unknown type', { type: 'hologram' }],
    ['a call without an id', { type: 'tool_call', name: 'x', parameters: {} }],
  ];

  test.each(malformed)(
    '`add` refuses a block that is %s, and announces it (docs/readings.md, row 43)',
    (_name, block) => {
      const history = createHistory();
      const refused: unknown[] = [];
      history.on('contentRefused', (content, reason) => refused.push([content, reason]));
      const entry = { speaker: 'human', blocks: [{ type: 'text', text: 'a' }, block] } as IContent;
      history.addAll([entry, human('kept')]);
      expect(history.getAll()).toEqual([human('kept')]);
      expect(refused).toEqual([[entry, expect.stringContaining('block 1')]]);
    },
  );

  test('a refusal that nobody listens to is one process warning for each kind of fault (docs/readings.md, row 43)', async () => {
    const warnings: string[] = [];
    const note = (warning: Error): void => {
      if (warning.name === 'HighDensityWarning') warnings.push(warning.message);
    };
    await new Promise((resolve) => setImmediate(resolve));
    process.on('warning', note);
    try {
      const history = createHistory();
      const wrong = [
        { speaker: 'user', blocks: [{ type: 'text', text: 'a' }] },
        { speaker: 'ai', blocks: [{ type: 'text' }] },
      ];
      for (const entry of [...wrong, ...wrong]) history.add(entry as unknown as IContent);
      await new Promise((resolve) => setImmediate(resolve));
      expect(warnings).toHaveLength(2);
      expect(warnings[0]).toContain('the speaker "user"');
    } finally {
      process.off('warning', note);
    }
  });

  test('`addAll` leaves out what `add` would refuse, and says so', async () => {
    const refused: string[] = [];
    const history = new HistoryService({ logger: { debug: (message) => refused.push(message) } });
    const nothing = { speaker: 'human', blocks: [] } as const;
    history.addAll([human('one'), nothing, human('two')]);
    expect(history.getAll()).toEqual([human('one'), human('two')]);
    expect(history.gateAccess.versions.contentVersion).toBe(2);
    expect(refused).toHaveLength(1);
  });

  test('`addAll` announces each entry in turn, and stops at the one whose listener throws', () => {
    const history = new HistoryService();
    const heard: IContent[] = [];
    history.on('contentAdded', (content) => {
      heard.push(content);
      if (heard.length === 2) throw new Error('no more');
    });
    expect(() => history.addAll([human('one'), human('two'), human('three')])).toThrow('no more');
    expect(history.getAll()).toEqual([human('one')]);
  });

  test('`addInSlices` adds all in order, as they are at the call', async () => {
    const history = createHistory([human('first')]);
    const contents = Array.from({ length: 1_000 }, (_, index) => human(`entry ${index}`));
    const adding = history.addInSlices(contents);
    const expected = [human('first'), ...contents];
    contents.length = 0;
    await adding;
    await history.waitForTokenUpdates();
    expect(history.getAll()).toEqual(expected);
    expect(history.getTotalTokens()).toBe(tokensOf(expected));
  });

  test('`addAll` of the history’s own live view terminates and doubles it (docs/readings.md, row 27)', async () => {
    const history = createHistory([human('one'), ai('two')]);
    history.addAll(history.getRawHistory());
    await history.waitForTokenUpdates();
    expect(history.getAll()).toEqual([human('one'), ai('two'), human('one'), ai('two')]);
    expect(history.getTotalTokens()).toBe(2 * tokensOf([human('one'), ai('two')]));
  });

  test('`recordTurn` adds what was said in order', () => {
    const history = createHistory();
    history.recordTurn(human('q'), call('c'), [answer('c')]);
    history.recordTurn(human('q2'), ai('a2'));
    expect(history.getAll()).toEqual([human('q'), call('c'), answer('c'), human('q2'), ai('a2')]);
  });

  test('`merge` adds the other history’s entries after its own', () => {
    const history = createHistory([human('one')]);
    history.merge(createHistory([human('two')]));
    expect(history.getAll()).toEqual([human('one'), human('two')]);
  });

  test('`clear` empties at once, keeps the base offset and emits the negative difference', async () => {
    const history = createHistory([human('one')]);
    history.setBaseTokenOffset(5);
    await history.waitForTokenUpdates();
    const updates: unknown[] = [];
    history.on('tokensUpdated', (update) => updates.push(update));
    history.clear();
    expect([history.length(), history.getTotalTokens(), history.getBaseTokenOffset()]).toEqual([0, 5, 5]);
    expect(updates).toEqual([{ totalTokens: 5, addedTokens: -tokensOf([human('one')]), contentId: null }]);
  });

  test('`pop` takes the newest entry out and leaves the total right', async () => {
    const history = createHistory([human('one'), ai('two')]);
    await history.waitForTokenUpdates();
    expect(history.pop()).toEqual(ai('two'));
    expect(history.getTotalTokens()).toBe(tokensOf([human('one')]));
    history.pop();
    expect(history.pop()).toBeUndefined();
    expect(history.getTotalTokens()).toBe(0);
  });

  test('an entry popped before it was counted is never counted', async () => {
    const history = createHistory([human('one'), ai('two')]);
    history.pop();
    await history.waitForTokenUpdates();
    expect(history.getTotalTokens()).toBe(tokensOf([human('one')]));
  });

  test('`removeLastIfMatches` compares by identity', async () => {
    const first = human('same');
    const last = human('same');
    const history = createHistory([first, last]);
    expect(history.removeLastIfMatches(first)).toBe(false);
    expect(history.removeLastIfMatches(last)).toBe(true);
    await history.waitForTokenUpdates();
    expect(history.getTotalTokens()).toBe(tokensOf([first]));
  });

  test('`replaceAll` swaps the history at once and keeps what is added meanwhile after it', async () => {
    const history = createHistory([human('old')]);
    const replaced = history.replaceAll([human('new'), ai('newer')]);
    history.add(human('later'));
    await replaced;
    await history.waitForTokenUpdates();
    const expected = [human('new'), ai('newer'), human('later')];
    expect(history.getAll()).toEqual(expected);
    expect(history.getTotalTokens()).toBe(tokensOf(expected));
  });

  test('a `clear` after `replaceAll` also removes its entries', async () => {
    const history = createHistory([human('old')]);
    const replaced = history.replaceAll([human('new')]);
    history.clear();
    history.add(human('later'));
    await replaced;
    await history.waitForTokenUpdates();
    expect(history.getAll()).toEqual([human('later')]);
    expect(history.getTotalTokens()).toBe(tokensOf([human('later')]));
  });

  test('`replaceAll` leaves history and totals when counting fails or an entry is invalid (law 9)', async () => {
    const engine = new RecordingEngine({
      countEntry: (entry) => {
        if (JSON.stringify(entry).includes('bad')) throw new Error('cannot count');
        return 10;
      },
      countText: () => 1,
    });
    const history = createHistory([human('old')], { engine });
    await history.waitForTokenUpdates();
    await expect(history.replaceAll([human('fine'), human('bad')])).rejects.toThrow('cannot count');
    await expect(history.waitForTokenUpdates()).rejects.toThrow('cannot count');
    await expect(history.replaceAll([human('fine'), { speaker: 'ai', blocks: [] }])).rejects.toMatchObject({
      code: 'HISTORY_INVALID',
    });
    expect(history.getAll()).toEqual([human('old')]);
    expect(history.getTotalTokens()).toBe(10);
  });

  test('`replaceToolResponseBlock` replaces one response of the same call and tool', async () => {
    const history = createHistory([call('c1'), answer('c1', 'a long result')]);
    const block = { type: 'tool_response', callId: 'c1', toolName: 'read_file', result: 'short' } as const;
    expect(await history.replaceToolResponseBlock(1, 0, block)).toBe(true);
    const expected = [call('c1'), answer('c1', 'short')];
    expect(history.getAll()).toEqual(expected);
    expect(history.getTotalTokens()).toBe(tokensOf(expected));
    for (const [entry, index, other] of [
      [9, 0, block],
      [1, 9, block],
      [0, 0, block],
      [1, 0, { ...block, callId: 'c2' }],
      [1, 0, { ...block, toolName: 'grep' }],
    ] as const) {
      expect(await history.replaceToolResponseBlock(entry, index, other)).toBe(false);
    }
    expect(history.getAll()).toEqual(expected);
  });

  test('`replaceToolResponseBlock` rolls back when counting fails', async () => {
    const history = createHistory([call('c1'), answer('c1', 'fine')], {
      engine: new RecordingEngine({
        countEntry: (entry) => {
          if (JSON.stringify(entry).includes('bad')) throw new Error('cannot count');
          return 3;
        },
        countText: () => 1,
      }),
    });
    const block = { type: 'tool_response', callId: 'c1', toolName: 'read_file', result: 'bad' } as const;
    await expect(history.replaceToolResponseBlock(1, 0, block)).rejects.toThrow('cannot count');
    await history.waitForTokenUpdates();
    expect(history.getAll()).toEqual([call('c1'), answer('c1', 'fine')]);
    expect(history.getTotalTokens()).toBe(6);
  });

  test('`findUnmatchedToolCalls` lists calls without a response; `validateAndFix` answers each as cancelled', async () => {
    const history = createHistory([call('c1', 'c2'), answer('c2'), human('stop'), call('c3')]);
    expect(history.findUnmatchedToolCalls().map(({ id }) => id)).toEqual(['c1', 'c3']);
    history.validateAndFix();
    await history.waitForTokenUpdates();
    const cancelled = (id: string): IContent => ({
      ...answer(id, null, { error: 'Tool call interrupted or cancelled', isComplete: true }),
      metadata: { synthetic: true, reason: 'orphaned_tool_call' },
    });
    const expected = [call('c1', 'c2'), cancelled('c1'), answer('c2'), human('stop'), call('c3'), cancelled('c3')];
    expect(history.getAll()).toEqual(expected);
    expect(history.getTotalTokens()).toBe(tokensOf(expected));
    expect(history.findUnmatchedToolCalls()).toEqual([]);
  });

  test('`summarizeOldHistory` replaces all but the newest by the summary and splits no pair', async () => {
    const history = createHistory([human('one'), ai('two'), call('c1'), answer('c1'), human('three')]);
    const seen: IContent[][] = [];
    const summarize = async (contents: IContent[]): Promise<IContent> => {
      seen.push(contents);
      return ai('summary');
    };
    await history.summarizeOldHistory(2, summarize);
    const expected = [ai('summary'), call('c1'), answer('c1'), human('three')];
    expect(seen).toEqual([[human('one'), ai('two')]]);
    expect(history.getAll()).toEqual(expected);
    expect(history.getTotalTokens()).toBe(tokensOf(expected));
    await history.summarizeOldHistory(4, summarize);
    expect(seen).toHaveLength(1);
    await history.summarizeOldHistory(0, summarize);
    expect(history.getAll()).toEqual([ai('summary')]);
  });

  test('`summarizeOldHistory` changes nothing when summarising fails or the entries moved meanwhile', async () => {
    const history = createHistory([human('one'), ai('two'), human('three')]);
    const fail = (): Promise<IContent> => Promise.reject(new Error('no summary'));
    await expect(history.summarizeOldHistory(1, fail)).rejects.toThrow('no summary');
    const popWhileSummarizing = async (): Promise<IContent> => {
      history.pop();
      return ai('summary');
    };
    await expect(history.summarizeOldHistory(1, popWhileSummarizing)).rejects.toMatchObject({
      code: 'HISTORY_CHANGED',
    });
    expect(history.getAll()).toEqual([human('one'), ai('two')]);
  });

  test('`waitForPendingOperations` resolves at once', async () => {
    const history = createHistory([human('one')], { engine: new RecordingEngine() });
    await expect(history.waitForPendingOperations()).resolves.toBeUndefined();
  });

  test('`dispose` drops work in flight, listeners and entries, and later adds are refused', async () => {
    const engine = new RecordingEngine();
    engine.hold();
    const history = createHistory([human('one')], { engine });
    const updates: unknown[] = [];
    history.on('tokensUpdated', (update) => updates.push(update));
    await Promise.resolve();
    history.dispose();
    engine.release();
    history.add(human('two'));
    await history.waitForTokenUpdates();
    expect([history.length(), history.getTotalTokens(), updates.length]).toEqual([0, 0, 0]);
  });

  test.each([
    ['its base offset', (history: HistoryService) => history.setBaseTokenOffset(500)],
    ['what a provider reported', (history: HistoryService) => history.syncTotalTokens(500)],
  ])('after `dispose` the total is 0, whether %s was set before or after', async (_name, report) => {
    const history = createHistory([human('one')]);
    report(history);
    await history.waitForTokenUpdates();
    expect(history.getTotalTokens()).toBeGreaterThanOrEqual(500);
    report(history);
    history.dispose();
    expect(history.getTotalTokens()).toBe(0);
    report(history);
    await history.waitForTokenUpdates();
    expect([history.getTotalTokens(), history.getBaseTokenOffset()]).toEqual([0, 0]);
  });
});

describe('ids of tool calls', () => {
  test('turn keys are unique, history ids are stable for equal input', () => {
    const history = createHistory();
    const key = history.generateTurnKey();
    expect(key).toMatch(/^turn_[0-9a-f-]{36}$/);
    expect(history.generateTurnKey()).not.toBe(key);
    const id = history.generateHistoryId(key, 0, 'anthropic', undefined, 'read_file');
    expect(id).toMatch(/^hist_tool_[0-9a-f]+$/);
    expect(createHistory().generateHistoryId(key, 0, 'anthropic', undefined, 'read_file')).toBe(id);
    const others = [
      history.generateHistoryId('turn_x', 0, 'anthropic', undefined, 'read_file'),
      history.generateHistoryId(key, 1, 'anthropic', undefined, 'read_file'),
      history.generateHistoryId(key, 0, 'openai', undefined, 'read_file'),
      history.generateHistoryId(key, 0, 'anthropic'),
    ];
    expect(new Set([id, ...others]).size).toBe(5);
  });

  test('with a raw id provider, id and tool decide alone, and the vendor’s prefix does not count (docs/readings.md, row 42)', () => {
    const history = createHistory();
    const idOf = (rawId: string, place: [string, number] = ['turn_x', 0], provider = 'anthropic', tool = 'read_file') =>
      history.generateHistoryId(...place, provider, rawId, tool);
    const id = idOf('toolu_1');
    expect([idOf('call_1'), idOf('1'), idOf('toolu_1', ['turn_y', 3])]).toEqual([id, id, id]);
    const others = [idOf('toolu_2'), idOf('1', ['turn_x', 0], 'openai'), idOf('1', ['turn_x', 0], 'anthropic', 'glob')];
    expect(new Set([id, ...others]).size).toBe(4);
    expect(idOf(id)).toBe(id);
  });

  test('a provider that gives `call_0` in each turn: each result stays with its own call', async () => {
    const history = createHistory();
    for (const turn of [1, 2, 3]) {
      const idOf = history.getIdGeneratorCallback();
      const id = idOf('ollama', 'call_0', 'read_file');
      history.recordTurn(human(`turn ${turn}`), call(id), [answer(id, `result ${turn}`)]);
    }
    const sent = history.getCuratedForProvider();
    const blocks = sent.flatMap((entry) => entry.blocks as ContentBlock[]);
    const ids = blocks.flatMap((block) => (block.type === 'tool_call' ? block.id : []));
    expect(new Set(ids).size).toBe(3);
    expect(blocks.flatMap((block) => (block.type === 'tool_response' ? [[block.callId, block.result]] : []))).toEqual(
      ids.map((id, at) => [id, `result ${at + 1}`]),
    );
    // The second read is removed with its own result.
    await history.applyDensityResult(density([4, 5]));
    const left = history.getCuratedForProvider().flatMap((entry) => entry.blocks as ContentBlock[]);
    expect(left.flatMap((block) => (block.type === 'tool_response' ? block.result : []))).toEqual([
      'result 1',
      'result 3',
    ]);
  });

  test('`getIdGeneratorCallback` makes the ids of one turn, one after the other', () => {
    const history = createHistory();
    const next = history.getIdGeneratorCallback('turn_x');
    expect([next(), next('p', 'r', 't')]).toEqual([
      history.generateHistoryId('turn_x', 0),
      history.generateHistoryId('turn_x', 1, 'p', 'r', 't'),
    ]);
    expect(history.getIdGeneratorCallback()()).not.toBe(history.getIdGeneratorCallback()());
  });
});
