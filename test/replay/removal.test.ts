import { describe, expect, test } from 'vitest';
import type { IContent } from '../../src/content/content.ts';
import { PRUNED_RESULT } from '../../src/content/pruned-result.ts';
import { brokenPairs } from '../../src/replay/broken-pairs.ts';
import { rebuildPruned } from '../../src/replay/rebuild.ts';
import { countedRemovals, RemovalAccount, type Removals } from '../../src/strategies/removal.ts';

/** Every block is as large as its JSON is long: enough to tell sums apart. */
const sizeOf = (block: object): number => JSON.stringify(block).length;
const sizesOf = async (entries: readonly IContent[]): Promise<number> =>
  entries.reduce((sum, { blocks }) => sum + blocks.reduce((size, block) => size + sizeOf(block), 0), 0);
const removalsOf = (rules: RemovalAccount): Promise<Removals> => countedRemovals(rules.taken(), sizesOf);

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
const NOTHING = { readWritePairsPruned: 0, fileDeduplicationsPruned: 0, recencyPruned: 0 };

describe('the account of what was taken away', () => {
  test('books removed pairs, stripped inclusions and masked results apart', async () => {
    const masked = response('5', 'b', PRUNED_RESULT);
    const before = [
      human('1', 'long text'),
      call('2', 'a'),
      response('3', 'a', 'x'),
      call('4', 'b'),
      response('5', 'b', 'y'.repeat(99)),
    ];
    const after = [human('1', 'text'), before[3]!, masked];
    const rules = new RemovalAccount();
    rules.addOptimization(before, after, { readWritePairsPruned: 1, fileDeduplicationsPruned: 1, recencyPruned: 1 });
    expect(await removalsOf(rules)).toEqual({
      readWritePairs: { count: 1, tokens: sizeOf(before[1]!.blocks[0]!) + sizeOf(before[2]!.blocks[0]!) },
      fileInclusions: { count: 1, tokens: 5 },
      recency: { count: 1, tokens: sizeOf(before[4]!.blocks[0]!) - sizeOf(masked.blocks[0]!) },
      summarised: { count: 0, tokens: 0 },
      dropped: { count: 0, tokens: 0 },
    });
  });

  test('books shortened results and dropped entries of a compression, and adds up over steps', async () => {
    const before = [human('1', 'old'), call('2', 'a'), response('3', 'a', 'long result')];
    const short = response('3', 'a', 'short');
    const rules = new RemovalAccount();
    rules.addCompression(before, [before[1]!, short]);
    rules.addCompression([before[1]!, short], []);
    const { dropped, summarised } = await removalsOf(rules);
    expect(summarised).toEqual({ count: 1, tokens: 6 });
    expect(dropped).toEqual({
      count: 3,
      tokens: [before[0]!, before[1]!, short].reduce((sum, { blocks }) => sum + sizeOf(blocks[0]!), 0),
    });
  });

  test('books nothing for entries that stayed what they were', async () => {
    const before = [human('1', 'kept')];
    const rules = new RemovalAccount();
    rules.addOptimization(before, before, NOTHING);
    rules.addCompression(before, before);
    expect(Object.values(await removalsOf(rules)).every(({ count, tokens }) => count === 0 && tokens === 0)).toBe(true);
  });
});

describe('broken pairs', () => {
  const whole = [call('1', 'a'), response('2', 'a', 'x'), call('3', 'b'), response('4', 'b', 'y')];

  test('are none where whole pairs went', () => {
    expect(brokenPairs(whole, whole.slice(2))).toBe(0);
  });

  test('are counted for calls and for responses that lost their other half', () => {
    expect(brokenPairs(whole, [whole[0]!, whole[3]!])).toBe(2);
  });

  test('are not those that were broken before', () => {
    expect(brokenPairs([whole[0]!, whole[3]!], [whole[0]!, whole[3]!])).toBe(0);
    expect(brokenPairs([whole[0]!], [whole[0]!, whole[3]!])).toBe(1);
  });
});

describe('a rebuilt history', () => {
  const [one, two, three] = [human('1', 'one'), human('2', 'two'), human('3', 'three')];

  test('takes what is new, leaves out what we dropped, keeps what we changed', () => {
    const changed = human('3', 'th');
    const fresh = human('4', 'summary');
    expect(rebuildPruned([fresh, two, three], [one, two, three], [one, changed])).toEqual([fresh, changed]);
  });

  test("takes the agent's own change of an entry that we left alone", () => {
    const cleared = human('2', '[cleared]');
    expect(rebuildPruned([one, cleared], [one, two], [one, two])).toEqual([one, cleared]);
  });
});
