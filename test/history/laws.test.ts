import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { orphanResponses, pairCalls, unansweredCalls } from '../../src/content/calls/pairing.ts';
import type { IContent } from '../../src/content/content.ts';
import type { HistoryChange } from '../../src/history/engine.ts';
import { HistoryService } from '../../src/history/history-service.ts';
import { HighDensityStrategy } from '../../src/strategies/high-density/high-density.ts';
import { GENERATED_WORKSPACE, generatedHistory } from '../generated-history.ts';
import { runs } from '../property-runs.ts';
import { ai, createHistory, human, RecordingEngine, tokensOf } from './entries.ts';

const RUNS = { numRuns: runs(1000) };
const config = {
  readWritePruning: true,
  fileDedupe: true,
  recencyPruning: true,
  recencyRetention: 1,
  workspaceRoot: GENERATED_WORKSPACE,
};

/** What a program may do to a history between two moments at which all counts are settled. */
type Step =
  | { readonly kind: 'add' | 'pop' | 'clear' | 'fix' | 'optimize' | 'recount' | 'summarize' }
  | { readonly kind: 'compress'; readonly keep: number; readonly style: 'by hand' | 'at once' };
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.constant({ kind: 'add' } as const) },
    { weight: 2, arbitrary: fc.constant({ kind: 'optimize' } as const) },
    fc.constantFrom<Step>(
      { kind: 'pop' },
      { kind: 'clear' },
      { kind: 'fix' },
      { kind: 'recount' },
      { kind: 'summarize' },
    ),
    fc.record({
      kind: fc.constant('compress' as const),
      keep: fc.nat(4),
      style: fc.constantFrom('by hand' as const, 'at once' as const),
    }),
  ),
  { maxLength: 8 },
);

async function take(history: HistoryService, step: Step): Promise<void> {
  switch (step.kind) {
    case 'add':
      return history.addAll([human('more'), ai('words')]);
    case 'pop':
      history.pop();
      return;
    case 'clear':
      return history.clear();
    case 'fix':
      return history.validateAndFix();
    case 'recount':
      return history.recalculateTotalTokens();
    case 'summarize':
      return history.summarizeOldHistory(3, async () => ai('summary'));
    case 'optimize':
      return history.applyDensityResult(new HighDensityStrategy().optimize(history.getRawHistory(), config));
    case 'compress': {
      history.startCompression();
      const kept = step.keep === 0 ? [] : history.getRecent(step.keep);
      history.add(human('arrived'));
      if (step.style === 'at once') await history.replaceAll([ai('summary'), ...kept]);
      else {
        history.clear();
        history.addAll([ai('summary'), ...kept]);
      }
      return history.endCompression();
    }
  }
}

/** Knows the entries only by the reported changes. */
class MirrorEngine extends RecordingEngine {
  readonly mirror: IContent[] = [];

  override changed(change?: HistoryChange): void {
    if (change === undefined) return;
    if (change.kind === 'splice') this.mirror.splice(change.start, change.removed.length, ...change.entries);
    else {
      const { removals, replacements } = change.result;
      const kept = this.mirror
        .map((entry, index) => replacements.get(index) ?? entry)
        .filter((_, index) => !removals.includes(index));
      this.mirror.splice(0, this.mirror.length, ...kept);
    }
  }
}

describe('laws over generated histories', () => {
  test('the running total equals a count from scratch after every step, and an engine learns of every change (law 7, law 6)', async () => {
    await fc.assert(
      fc.asyncProperty(generatedHistory(), steps, async (entries, program) => {
        const engine = new MirrorEngine();
        const history = createHistory(entries, { engine });
        for (const step of program) {
          await take(history, step);
          await history.waitForTokenUpdates();
          expect(history.getTotalTokens()).toBe(tokensOf(history.getRawHistory()));
          expect(history.getTokensPerEntry()).toEqual(history.getAll().map((entry) => tokensOf([entry])));
          expect(engine.mirror).toEqual(history.getAll());
        }
        history.gateAccess.versions.verifyUnchanged();
      }),
      RUNS,
    );
  });

  test('the same steps without waiting in between end in the same total (law 7)', async () => {
    const eager = steps.map((program) => program.filter(({ kind }) => kind !== 'optimize' && kind !== 'summarize'));
    await fc.assert(
      fc.asyncProperty(generatedHistory(), eager, async (entries, program) => {
        const history = createHistory(entries);
        await Promise.all(program.map((step) => (step.kind === 'compress' ? undefined : take(history, step))));
        await history.waitForTokenUpdates();
        expect(history.getTotalTokens()).toBe(tokensOf(history.getRawHistory()));
      }),
      RUNS,
    );
  });

  test('intact pairs are still intact after optimising, fixing, summarising and the token window (law 1)', async () => {
    const isIntact = (history: readonly IContent[]): boolean => {
      const pairing = pairCalls(history);
      return unansweredCalls(pairing).length === 0 && orphanResponses(pairing).length === 0;
    };
    await fc.assert(
      fc.asyncProperty(generatedHistory('intact'), fc.nat(60), async (entries, size) => {
        const history = createHistory(entries);
        expect(isIntact(history.getWithinTokenLimit(size, () => 1))).toBe(true);
        await take(history, { kind: 'optimize' });
        expect(isIntact(history.getRawHistory())).toBe(true);
        history.validateAndFix();
        await history.summarizeOldHistory(size, async () => ai('summary'));
        expect(isIntact(history.getRawHistory())).toBe(true);
      }),
      RUNS,
    );
  });

  test('what is sent to a provider has each call answered exactly once, directly after it, and media kept (law 1)', () => {
    const mediaOf = (history: readonly IContent[]): number =>
      history.flatMap(({ blocks }) => blocks).filter(({ type }) => type === 'media').length;
    fc.assert(
      fc.property(generatedHistory(), (entries) => {
        const sent = createHistory(entries).getCuratedForProvider();
        const open = new Set<string>();
        for (const { speaker, blocks } of sent) {
          if (speaker !== 'tool') expect([...open]).toEqual([]);
          for (const block of blocks) {
            if (block.type === 'tool_call') open.add(block.id);
            if (block.type === 'tool_response') expect(open.delete(block.callId)).toBe(true);
          }
        }
        expect([...open]).toEqual([]);
        expect(mediaOf(sent)).toBe(mediaOf(createHistory(entries).getCurated()));
      }),
      RUNS,
    );
  });

  test('an intact history is sent as it is, but for an id that an earlier call has', () => {
    const withoutIds = (history: readonly IContent[]): readonly object[] =>
      history.map((entry) => ({ ...entry, blocks: entry.blocks.map((block) => ({ ...block, id: '', callId: '' })) }));
    fc.assert(
      fc.property(generatedHistory('intact'), (entries) => {
        const history = createHistory(entries);
        const sent = history.getCuratedForProvider();
        const curated = history.getCurated();
        const ids = curated.flatMap(({ blocks }) =>
          blocks.flatMap((block) => (block.type === 'tool_call' ? block.id : [])),
        );
        expect(withoutIds(sent)).toEqual(withoutIds(curated));
        if (new Set(ids).size === ids.length) expect(sent).toEqual(curated);
      }),
      RUNS,
    );
  });

  test('a refused or failing step leaves history and total as they were (law 9)', async () => {
    await fc.assert(
      fc.asyncProperty(generatedHistory(), fc.nat(), async (entries, at) => {
        let isBroken = false;
        const engine = new RecordingEngine({
          countEntry: (entry) => {
            if (isBroken) throw new Error('cannot count');
            return tokensOf([entry]);
          },
          countText: (text) => text.length,
        });
        const history = createHistory(entries, { engine });
        await history.waitForTokenUpdates();
        isBroken = true;
        const metadata = { readWritePairsPruned: 0, fileDeduplicationsPruned: 0, recencyPruned: 0 };
        const index = at % (entries.length + 1);
        const attempts = [
          history.applyDensityResult({ removals: [index], replacements: new Map([[index, ai('x')]]), metadata }),
          history.applyDensityResult({ removals: [], replacements: new Map([[index, ai('x')]]), metadata }),
          history.replaceAll([ai('uncountable')]),
          history.recalculateTotalTokens(),
        ];
        const outcomes = await Promise.allSettled(attempts);
        expect(outcomes.map(({ status }) => status).slice(0, 3)).toEqual(['rejected', 'rejected', 'rejected']);
        expect(history.getAll()).toEqual(entries);
        expect(history.getTotalTokens()).toBe(tokensOf(entries));
      }),
      RUNS,
    );
  });

  test('toJSON and fromJSON are a round trip', () => {
    fc.assert(
      fc.property(generatedHistory(), (entries) => {
        expect(HistoryService.fromJSON(createHistory(entries).toJSON()).getAll()).toEqual(entries);
      }),
      RUNS,
    );
  });

  test('entries added during a compression follow the rebuilt history, in order (docs/readings.md, row 18)', () => {
    fc.assert(
      fc.property(generatedHistory(), generatedHistory(), generatedHistory(), (before, arrived, rebuilt) => {
        const history = createHistory(before);
        history.startCompression();
        history.addAll(arrived);
        history.clear();
        history.addAll(rebuilt);
        history.endCompression();
        expect(history.getAll()).toEqual([...rebuilt, ...arrived]);
      }),
      RUNS,
    );
  });
});
