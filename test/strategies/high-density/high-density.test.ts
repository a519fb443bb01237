import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { IContent } from '../../../src/content/content.ts';
import { findInclusions } from '../../../src/content/inclusions.ts';
import { HighDensityStrategy } from '../../../src/strategies/high-density/high-density.ts';
import { applied } from '../../contracts/strategy.ts';
import { GENERATED_WORKSPACE, generatedHistory } from '../../generated-history.ts';
import { runs } from '../../property-runs.ts';
import { compressionContext } from '../compression-context.ts';
import { ALL_OFF, ai, call, exchange, human, response, tool } from '../conversation.ts';

const EVERYTHING = { ...ALL_OFF, readWritePruning: true, fileDedupe: true, recencyPruning: true, recencyRetention: 1 };
const EMPTY = {
  removals: [],
  replacements: new Map(),
  metadata: { readWritePairsPruned: 0, fileDeduplicationsPruned: 0, recencyPruned: 0 },
  edits: [],
};
const optimize = (history: readonly IContent[]) => new HighDensityStrategy().optimize(history, EVERYTHING);

describe('HighDensityStrategy.optimize', () => {
  test.each([
    ['an empty history (EC-001)', []],
    ['one entry (EC-002)', [human('hello')]],
    ['human messages only (EC-003)', [human('a'), human('b'), human('--- a.ts ---\nx\n--- End of content ---')]],
    ['ai messages only (EC-004)', [ai('a'), ai(call('1', 'read_file', 'a.ts')), ai(call('2', 'write_file', 'a.ts'))]],
    ['nothing to prune (EC-042)', [...exchange('r', 'read_file', 'a.ts'), human('thanks')]],
  ])('finds nothing in %s', (_, history) => {
    expect(optimize(history)).toEqual(EMPTY);
  });

  test('accepts odd entries: no blocks, no words', () => {
    const history = [
      ai(),
      human(),
      tool(),
      ai(' '),
      ...exchange('r', 'read_file', 'a.ts'),
      ...exchange('w', 'replace', 'a.ts'),
    ];
    expect(optimize(history).removals).toEqual([4, 5]);
  });

  test('composes the phases in order over the state that earlier ones left, with raw indices (BR-CONFLICT-002, BR-CONFLICT-003, row 3)', () => {
    const kept = response('2', 'read_file');
    const history = [
      ai(call('1', 'read_file', 'a.ts'), call('2', 'read_file', 'b.ts')),
      tool(response('1', 'read_file'), kept),
      ...exchange('3', 'read_file', 'c.ts'),
      ...exchange('w', 'write_file', 'a.ts'),
    ];
    const { removals, replacements, metadata } = optimize(history);
    expect(removals).toEqual([]);
    expect(replacements.get(0)!.blocks).toEqual([history[0]!.blocks[1]]);
    expect(replacements.get(1)!.blocks).toEqual([{ ...kept, result: '[Result pruned — re-run tool to retrieve]' }]);
    expect(metadata).toEqual({ readWritePairsPruned: 1, fileDeduplicationsPruned: 0, recencyPruned: 1 });
  });

  test('metadata counts exactly what was removed (REQ-HD-001.8, REQ-HD-013.7, BR-CONFLICT-005, row 6)', () => {
    fc.assert(
      fc.property(generatedHistory(), (history) => {
        const result = new HighDensityStrategy().optimize(history, {
          ...EVERYTHING,
          workspaceRoot: GENERATED_WORKSPACE,
        });
        const after = applied(history, result);
        const count = (
          contents: readonly IContent[],
          matches: (block: IContent['blocks'][number]) => boolean,
        ): number => contents.flatMap(({ blocks }) => blocks).filter(matches).length;
        const isCall = (block: { type: string }): boolean => block.type === 'tool_call';
        const isPointer = (block: IContent['blocks'][number]): boolean =>
          block.type === 'tool_response' && block.result === '[Result pruned — re-run tool to retrieve]';
        const inclusions = (contents: readonly IContent[]): number => contents.flatMap(findInclusions).length;
        expect(result.metadata).toEqual({
          readWritePairsPruned: count(history, isCall) - count(after, isCall),
          fileDeduplicationsPruned: inclusions(history) - inclusions(after),
          recencyPruned: count(after, isPointer),
        });
      }),
      { numRuns: runs(1000) },
    );
  });

  test('human words survive, stale inclusions aside (law 4)', () => {
    const wordsOf = (contents: readonly IContent[]): string =>
      contents
        .filter(({ speaker }) => speaker === 'human')
        .flatMap(({ blocks }) => blocks.map((block) => (block.type === 'text' ? block.text : '')))
        .join('\n')
        .replace(/^--- \S+ ---$[\s\S]*?^--- End of content ---$/gm, '')
        .replace(
          /^--- Content from referenced files ---$|^Content from @.*:$|^body \d+$|^--- .*$|^\[@.*newer copy below\]$/gm,
          '',
        )
        .replace(/\s+/g, ' ')
        .trim();
    fc.assert(
      fc.property(generatedHistory(), (history) => {
        const result = new HighDensityStrategy().optimize(history, {
          ...EVERYTHING,
          workspaceRoot: GENERATED_WORKSPACE,
        });
        expect(wordsOf(applied(history, result))).toBe(wordsOf(history));
      }),
      { numRuns: runs(1000) },
    );
  });

  test('never asks for a provider, in optimize or compress (REQ-HD-008.1, REQ-HD-011.4)', async () => {
    const history = [
      human('go'),
      ...exchange('r', 'read_file', 'a.ts'),
      ...exchange('w', 'replace', 'a.ts'),
      human('on'),
      ai('ok'),
    ];
    optimize(history);
    const context = compressionContext(history, { limit: 10 }, { activeTodos: [{ content: 'x', status: 'pending' }] });
    const { metadata } = await new HighDensityStrategy().compress(context);
    expect(metadata.llmCallMade).toBe(false);
  });
});
