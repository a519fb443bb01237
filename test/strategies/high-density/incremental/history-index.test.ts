import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pairCalls } from '../../../../src/content/calls/pairing.ts';
import type { IContent } from '../../../../src/content/content.ts';
import { llxprt } from '../../../../src/content/vocabularies/llxprt.ts';
import { ONLY_GROWS } from '../../../../src/strategies/contract.ts';
import { DistinctCalls } from '../../../../src/strategies/high-density/distinct-calls.ts';
import { HighDensityStrategy } from '../../../../src/strategies/high-density/high-density.ts';
import { HistoryIndex } from '../../../../src/strategies/high-density/incremental/history-index.ts';
import { applied } from '../../../contracts/strategy.ts';
import { GENERATED_WORKSPACE, generatedHistory } from '../../../generated-history.ts';
import { runs } from '../../../property-runs.ts';

const config = {
  readWritePruning: true,
  fileDedupe: true,
  recencyPruning: true,
  recencyRetention: 2,
  workspaceRoot: GENERATED_WORKSPACE,
};

const reading = {
  vocabulary: llxprt,
  workspaceRoot: GENERATED_WORKSPACE,
  includesShellWrites: false,
  includesAttachedReads: false,
};

/** What happens to a history between two runs; numbers are taken modulo its length. */
const change = fc.oneof(
  fc.record({ kind: fc.constant('append' as const), entries: generatedHistory() }),
  fc.record({ kind: fc.constant('remove' as const), at: fc.nat(100) }),
  fc.record({ kind: fc.constant('repeat' as const), at: fc.nat(100) }),
  fc.record({ kind: fc.constant('insert' as const), at: fc.nat(100), entries: generatedHistory() }),
  fc.record({ kind: fc.constant('apply' as const) }),
  fc.record({ kind: fc.constant('move' as const), root: fc.constantFrom(GENERATED_WORKSPACE, '/elsewhere') }),
  fc.record({ kind: fc.constant('other' as const), entries: generatedHistory() }),
);

/** The same list, or one that says that it only grows. */
const listOf = (entries: IContent[], onlyGrows: boolean): IContent[] =>
  onlyGrows ? Object.defineProperty([...entries], ONLY_GROWS, { value: true }) : entries;

describe('what one instance remembers of a history', () => {
  test('changes no result, whatever became of the history since the last run', () => {
    fc.assert(
      fc.property(generatedHistory(), fc.array(fc.tuple(change, fc.boolean()), { maxLength: 8 }), (first, changes) => {
        const remembering = new HighDensityStrategy();
        let history: IContent[] = first;
        let { workspaceRoot } = config;
        for (const [what, onlyGrows] of [[{ kind: 'append' as const, entries: [] }, false] as const, ...changes]) {
          if (what.kind === 'append' && ONLY_GROWS in history) history.push(...what.entries);
          else if (what.kind === 'append') history = [...history, ...what.entries];
          if (what.kind === 'remove') history = history.filter((_, index) => index !== what.at % history.length);
          if (what.kind === 'repeat') history = history.flatMap((it, index) => (index === what.at ? [it, it] : [it]));
          if (what.kind === 'insert') history = history.toSpliced(what.at % (history.length + 1), 0, ...what.entries);
          if (what.kind === 'apply')
            history = applied(history, remembering.optimize(history, { ...config, workspaceRoot }));
          if (what.kind === 'move') workspaceRoot = what.root;
          if (what.kind === 'other') history = what.entries;
          if (!(ONLY_GROWS in history)) history = listOf(history, onlyGrows);
          const fresh = new HighDensityStrategy().optimize(history, { ...config, workspaceRoot });
          expect(remembering.optimize(history, { ...config, workspaceRoot })).toEqual(fresh);
        }
      }),
      { numRuns: runs(1000) },
    );
  });

  test('is a copy of a list that may change, and the list itself if that only grows', () => {
    const said: IContent = { speaker: 'human', blocks: [{ type: 'text', text: 'Hello.' }] };
    const index = new HistoryIndex();
    for (const onlyGrows of [false, true, false, true]) {
      const list = listOf([said, said], onlyGrows);
      index.update(list, reading);
      expect(index.history === list).toBe(onlyGrows);
      expect(index.history).toEqual(list);
    }
  });

  test('keeps the later of two inclusions in one entry object that is there twice, moved or not (row 9)', () => {
    const other: IContent = { speaker: 'ai', blocks: [{ type: 'text', text: 'Looking.' }] };
    const text = 'Look.\n\n--- a.ts ---\nconst a = 1;\n--- End of content ---';
    const including: IContent = { speaker: 'human', blocks: [{ type: 'text', text }] };
    const remembering = new HighDensityStrategy();
    for (const history of [
      [including, other, including],
      [other, including, including],
    ]) {
      const { metadata } = remembering.optimize(history, config);
      expect(metadata.fileDeduplicationsPruned).toBe(1);
    }
  });

  test('leaves inclusions where they are switched off and other phases are not (REQ-HD-006.4)', () => {
    const text = 'Look.\n\n--- a.ts ---\nconst a = 1;\n--- End of content ---';
    const including = (): IContent => ({ speaker: 'human', blocks: [{ type: 'text', text }] });
    const result = new HighDensityStrategy().optimize([including(), including()], { ...config, fileDedupe: false });
    expect([result.replacements.size, result.metadata.fileDeduplicationsPruned]).toEqual([0, 0]);
  });

  test('is valid only while settings are the same', () => {
    const settings = fc.record({
      fileDedupe: fc.boolean(),
      recencyPruning: fc.boolean(),
      recencyRetention: fc.constantFrom(1, 2, 3),
    });
    fc.assert(
      fc.property(generatedHistory(), fc.array(settings, { maxLength: 6 }), (history, runs) => {
        const remembering = new HighDensityStrategy();
        for (const run of runs) {
          const fresh = new HighDensityStrategy().optimize(history, { ...config, ...run });
          expect(remembering.optimize(history, { ...config, ...run })).toEqual(fresh);
        }
      }),
      { numRuns: runs(300) },
    );
  });

  test('links the responses of a seen history to calls as `pairCalls` does, whatever was removed since the last run (row 7)', () => {
    fc.assert(
      fc.property(generatedHistory('broken'), generatedHistory('broken'), fc.nat(100), (before, other, cut) => {
        const index = new HistoryIndex();
        const seen = new DistinctCalls();
        const update = (given: readonly IContent[]): readonly IContent[] => {
          const { entries } = seen.of(given);
          index.update(entries, reading);
          return entries;
        };
        update(before);
        const history = update([...before.slice(0, cut % (before.length + 1)), ...other]);
        const { lastResponse, previousResponse } = index.links;
        const { calls, responses } = index;
        const linked = Array.from(lastResponse, (last, call) => {
          const own: string[] = [];
          for (let at = last; at !== -1; at = previousResponse[at]!)
            own.unshift(`${responses.entry[at]}.${responses.block[at]}`);
          return { at: `${calls.entry[call]}.${calls.block[call]}`, own };
        });
        const paired = pairCalls(history).calls.map((call) => ({
          at: `${call.entry}.${call.block}`,
          own: call.responses.map(({ entry, block }) => `${entry}.${block}`),
        }));
        expect(linked).toEqual(paired);
      }),
      { numRuns: runs(1000) },
    );
  });

  test('does not keep a further result of a read that was removed before that result', () => {
    const remembering = new HighDensityStrategy();
    const call = (id: string, name: string): IContent => ({
      speaker: 'ai',
      blocks: [{ type: 'tool_call', id, name, parameters: { file_path: 'a.ts' } }],
    });
    const result = (callId: string, toolName: string): IContent => ({
      speaker: 'tool',
      blocks: [{ type: 'tool_response', callId, toolName, result: 'text' }],
    });
    const history = [
      call('r', 'read_file'),
      result('r', 'read_file'),
      call('w', 'write_file'),
      result('w', 'write_file'),
    ];
    const settings = { ...config, recencyPruning: false };
    expect(remembering.optimize(history, settings).removals).toEqual([0, 1]);
    expect(remembering.optimize([...history, result('r', 'read_file')], settings).removals).toEqual([0, 1, 4]);
  });

  test('is given up when it has grown far beyond the history', () => {
    const index = new HistoryIndex();
    const entry = (id: number): IContent => ({
      speaker: 'ai',
      blocks: [{ type: 'tool_call', id: `call-${id}`, name: 'read_file', parameters: { file_path: `${id}.ts` } }],
    });
    for (let round = 0; round < 12; round++) {
      index.update(
        Array.from({ length: 10_000 }, (_, at) => entry(round * 10_000 + at)),
        reading,
      );
      expect(index.idCount).toBeLessThan(100_000);
    }
    expect(index.calls.entry).toHaveLength(10_000);
  });
});
