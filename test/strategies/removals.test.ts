import { describe, expect, test } from 'vitest';
import type { IContent } from '../../src/content/content.ts';
import { PRUNED_RESULT } from '../../src/content/pruned-result.ts';
import { compressedEntries, optimizedEntries } from '../../src/strategies/changed-entries.ts';
import { HighDensityStrategy } from '../../src/strategies/high-density/high-density.ts';
import { countedRemovals, RemovalAccount, type Removals } from '../../src/strategies/removals.ts';
import { ALL_OFF, exchange } from './conversation.ts';

/** Every block is as large as its JSON is long: enough to distinguish sums. */
const sizeOf = (block: object): number => JSON.stringify(block).length;
const sizesOf = async (entries: readonly IContent[]): Promise<number> =>
  entries.reduce((sum, { blocks }) => sum + blocks.reduce((size, block) => size + sizeOf(block), 0), 0);
const removalsOf = (rules: RemovalAccount): Promise<Removals> => countedRemovals(rules, sizesOf);

const human = (id: string, text: string): IContent => ({
  speaker: 'human',
  blocks: [{ type: 'text', text }],
  metadata: { id },
});
const call = (id: string, callId: string): IContent => ({
  speaker: 'ai',
  blocks: [{ type: 'tool_call', id: callId, name: 'read_file', parameters: {} }],
  metadata: { id },
});
const response = (id: string, callId: string, result: string): IContent => ({
  speaker: 'tool',
  blocks: [{ type: 'tool_response', callId, toolName: 'read_file', result }],
  metadata: { id },
});

describe('the totals of removals', () => {
  test('adds up removed pairs, stripped inclusions and replaced results apart', async () => {
    const attached = (text: string): string => `Look.\n--- b.ts ---\n${text}\n--- End of content ---\n`;
    const before = [
      human('1', attached('older')),
      human('2', attached('newer')),
      ...exchange('r', 'read_file', 'a.ts'),
      ...exchange('w', 'write_file', 'a.ts'),
      ...exchange('g1', 'glob', {}, { result: 'y'.repeat(99) }),
      ...exchange('g2', 'glob', {}),
    ];
    const config = { ...ALL_OFF, readWritePruning: true, fileDedupe: true, recencyPruning: true, recencyRetention: 1 };
    const result = new HighDensityStrategy().optimize(before, config);
    const rules = new RemovalAccount();
    rules.add(optimizedEntries(before, result, 'high-density'));
    const saved = (index: number): number => {
      const after = result.replacements.get(index)?.blocks ?? [];
      const size = (blocks: readonly object[]): number => blocks.reduce((sum, block) => sum + sizeOf(block), 0);
      return size(before[index]!.blocks) - size(after);
    };
    expect(result.edits!.map(({ entry }) => entry)).toEqual([0, 2, 3, 7]);
    expect(await removalsOf(rules)).toEqual({
      readWritePairs: { count: 1, tokens: saved(2) + saved(3) },
      fileInclusions: { count: 1, tokens: saved(0) },
      recency: { count: 1, tokens: saved(7) },
      repeats: { count: 0, tokens: 0 },
      reports: { count: 0, tokens: 0 },
      skills: { count: 0, tokens: 0 },
      thinking: { count: 0, tokens: 0 },
      shaped: { count: 0, tokens: 0 },
      summarised: { count: 0, tokens: 0 },
      dropped: { count: 0, tokens: 0 },
    });
  });

  test('adds up what rules of two counters did to one entry apart', async () => {
    const response = (callId: string, toolName: string) =>
      ({ type: 'tool_response', callId, toolName, result: callId.repeat(99) }) as const;
    const before: IContent[] = [
      {
        speaker: 'ai',
        blocks: [call('', 'r').blocks[0]!, { type: 'tool_call', id: 'g', name: 'glob', parameters: {} }],
      },
      { speaker: 'tool', blocks: [response('r', 'read_file'), response('g', 'glob')] },
    ];
    const masked = { ...response('g', 'glob'), result: PRUNED_RESULT };
    const read = { entry: 0, block: 0, callId: 'r' };
    const stale = { rule: 'staleRead', read, causes: [] } as const;
    const rules = new RemovalAccount();
    const edits = [
      { entry: 0, block: 0, kind: 'remove', reason: stale },
      { entry: 1, block: 0, kind: 'remove', reason: stale },
      { entry: 1, block: 1, kind: 'replace', reason: { rule: 'recency', tool: 'glob', retention: 1 } },
    ] as const;
    const replacements = new Map<number, IContent>([
      [0, { speaker: 'ai', blocks: [before[0]!.blocks[1]!] }],
      [1, { speaker: 'tool', blocks: [masked] }],
    ]);
    const metadata = { readWritePairsPruned: 1, fileDeduplicationsPruned: 0, recencyPruned: 1 };
    rules.add(optimizedEntries(before, { removals: [], replacements, metadata, edits }, 'high-density'));
    const { readWritePairs, recency } = await removalsOf(rules);
    const size = sizeOf(before[1]!.blocks[1]!);
    const sizeMasked = sizeOf(masked);
    expect(readWritePairs).toEqual({ count: 1, tokens: sizeOf(before[0]!.blocks[0]!) + sizeOf(before[1]!.blocks[0]!) });
    expect(recency).toEqual({ count: 1, tokens: size - sizeMasked });
  });

  test('adds up shortened results and dropped entries of a compression, over all steps', async () => {
    const before = [human('1', 'old'), call('2', 'a'), response('3', 'a', 'long result')];
    const short = { ...before[2]!, blocks: response('', 'a', 'short').blocks };
    const rules = new RemovalAccount();
    rules.add(compressedEntries(before, [before[1]!, short], 'high-density'));
    rules.add(compressedEntries([before[1]!, short], [], 'high-density'));
    const { dropped, summarised } = await removalsOf(rules);
    expect(summarised).toEqual({ count: 1, tokens: 6 });
    expect(dropped).toEqual({
      count: 3,
      tokens: [before[0]!, before[1]!, short].reduce((sum, { blocks }) => sum + sizeOf(blocks[0]!), 0),
    });
  });

  test('takes the name of a strategy that does not say why', async () => {
    const before = [human('1', 'old'), call('2', 'a'), response('3', 'a', 'long result')];
    const short = { ...before[2]!, blocks: response('', 'a', 'short').blocks };
    const metadata = { readWritePairsPruned: 0, fileDeduplicationsPruned: 0, recencyPruned: 0 };
    const result = { removals: [0], replacements: new Map([[2, short]]), metadata };
    const changes = optimizedEntries(before, result, 'foreign');
    expect(changes.flatMap(({ blocks }) => blocks.flatMap(({ edits }) => edits))).toEqual([
      { entry: 0, block: 0, kind: 'remove', reason: { rule: 'dropped', strategy: 'foreign' } },
      { entry: 2, block: 0, kind: 'replace', reason: { rule: 'summarised', strategy: 'foreign' } },
    ]);
    const rules = new RemovalAccount();
    rules.add(changes);
    const { dropped, summarised } = await removalsOf(rules);
    expect([dropped.count, summarised.count]).toEqual([1, 1]);
  });

  test('adds up nothing for entries that are kept as they were', async () => {
    const before = [human('1', 'kept')];
    const rules = new RemovalAccount();
    const metadata = { readWritePairsPruned: 0, fileDeduplicationsPruned: 0, recencyPruned: 0 };
    rules.add(optimizedEntries(before, { removals: [], replacements: new Map(), metadata, edits: [] }, 'high-density'));
    rules.add(compressedEntries(before, before, 'high-density'));
    expect(Object.values(await removalsOf(rules)).every(({ count, tokens }) => count === 0 && tokens === 0)).toBe(true);
  });
});
