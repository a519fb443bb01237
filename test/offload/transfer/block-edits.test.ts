import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ContentBlock, IContent, ToolResponseBlock } from '../../../src/content/content.ts';
import { applyBlockEdits, blockEdits } from '../../../src/offload/transfer/block-edits.ts';
import { entriesOfPart, historyParts } from '../../../src/offload/transfer/result-parts.ts';
import { generatedHistory } from '../../generated-history.ts';
import { runs } from '../../property-runs.ts';

const response = (callId: string, result: string): ToolResponseBlock => ({
  type: 'tool_response',
  callId,
  toolName: 'read_file',
  result,
});
const text = (words: string): ContentBlock => ({ type: 'text', text: words });
const entry = (...blocks: ContentBlock[]): IContent => ({ speaker: 'tool', blocks, metadata: METADATA });
const METADATA = { id: 'x' };

/** What becomes of a block in a generated change. */
const fate = fc.constantFrom('keep', 'keep', 'drop', 'change', 'unset');

function changed(block: ContentBlock, what: string): ContentBlock[] {
  if (what === 'drop') return [];
  if (what === 'keep') return [block];
  if (what === 'unset') {
    const { providerMetadata: _, ...rest } = { ...block, providerMetadata: {} };
    return [rest as ContentBlock];
  }
  return block.type === 'tool_response'
    ? [{ ...block, result: '[short]', isComplete: true }]
    : [{ ...block, providerMetadata: { changed: true } }];
}

const changedHistory = fc
  .tuple(
    generatedHistory(),
    fc.array(fate, { minLength: 400, maxLength: 400 }),
    fc.array(fate, { minLength: 120, maxLength: 120 }),
  )
  .map(([history, blockFates, entryFates]) => {
    let next = 0;
    const rebuilt = history.flatMap((before, index) => {
      if (entryFates[index % 120] === 'drop') return [];
      if (entryFates[index % 120] === 'keep') return [before];
      return [{ ...before, blocks: before.blocks.flatMap((block) => changed(block, blockFates[next++ % 400]!)) }];
    });
    return { history, rebuilt };
  });

describe('block edits', () => {
  test('name the changed fields only', () => {
    const before = entry(response('a', 'long'), text('note'), response('b', 'kept'));
    const after = { ...before, blocks: [{ ...before.blocks[0], result: 'short' } as ContentBlock, before.blocks[2]!] };
    expect(blockEdits(before, after)).toEqual([
      { block: 0, becomes: { set: { result: 'short' }, unset: [] } },
      { block: 1, becomes: 'nothing' },
    ]);
  });

  test('cannot say how an entry came to be that differs in more than its blocks', () => {
    const before = entry(text('a'));
    expect(blockEdits(before, { ...before, speaker: 'ai' })).toBeUndefined();
    expect(blockEdits(before, { ...before, metadata: { id: 'x' } })).toBeUndefined();
    expect(blockEdits(before, { ...before, extra: 1 } as IContent)).toBeUndefined();
    expect(blockEdits(before, { ...before, blocks: [text('a'), text('b')] })).toBeUndefined();
    expect(blockEdits(before, { ...before, blocks: [response('a', 'x')] })).toBeUndefined();
  });

  test('finds the edits of thousands of changed blocks in one pass', () => {
    const before = entry(...Array.from({ length: 20_000 }, (_, index) => response(`c${index}`, 'long')));
    const after = { ...before, blocks: before.blocks.map((block) => ({ ...block, result: 'x' }) as ContentBlock) };
    expect(blockEdits(before, after)).toHaveLength(20_000);
  });

  test('give the same entry back, kept blocks by identity', () => {
    fc.assert(
      fc.property(changedHistory, ({ history, rebuilt }) => {
        for (const after of rebuilt) {
          const before = history.find(({ metadata }) => metadata === after.metadata)!;
          const edits = blockEdits(before, after);
          expect(edits).toBeDefined();
          const again = applyBlockEdits(before, structuredClone(edits!));
          expect(again).toEqual(after);
          for (const [at, block] of after.blocks.entries()) {
            if (before.blocks.includes(block)) expect(again.blocks[at]).toBe(block);
          }
        }
      }),
      { numRuns: runs(300) },
    );
  });
});

describe('parts of a rebuilt history', () => {
  test('give the same history back, kept entries by identity (law 5)', () => {
    fc.assert(
      fc.property(changedHistory, fc.boolean(), ({ history, rebuilt }, adds) => {
        const summary: IContent = { speaker: 'ai', blocks: [text('summary')] };
        const target = adds ? [summary, ...rebuilt] : rebuilt;
        const parts = structuredClone(historyParts(history, target, () => 1));
        const again = parts.flatMap((part) => entriesOfPart(history, part));
        expect(again).toEqual(target);
        for (const [at, one] of target.entries()) if (history.includes(one)) expect(again[at]).toBe(one);
      }),
      { numRuns: runs(500) },
    );
  });

  test('name runs of kept entries by their ends', () => {
    const history = [entry(text('a')), entry(text('b')), entry(text('c')), entry(text('d'))];
    expect(historyParts(history, [history[0]!, history[1]!, history[3]!], () => 1)).toEqual([
      { keepFrom: 0, keepTo: 2 },
      { keepFrom: 3, keepTo: 4 },
    ]);
  });
});
