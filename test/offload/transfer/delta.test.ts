import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { IContent } from '../../../src/content/content.ts';
import { footprint } from '../../../src/content/footprint.ts';
import { applyEdits } from '../../../src/history/apply.ts';
import type { Change } from '../../../src/offload/protocol.ts';
import { ReplicaEntries } from '../../../src/offload/replica/replica-entries.ts';
import { ChangeLog } from '../../../src/offload/transfer/delta.ts';
import { putText, takeLongTexts } from '../../../src/offload/transfer/long-texts.ts';
import { plainCopy } from '../../../src/offload/transfer/plain-copy.ts';
import { slices } from '../../../src/offload/transfer/snapshot.ts';
import type { DensityResult } from '../../../src/strategies/contract.ts';
import { generatedHistory } from '../../generated-history.ts';
import { oddEntry } from '../odd-values.ts';

const said = (text: string): IContent => ({ speaker: 'human', blocks: [{ type: 'text', text }] });
const appended = (log: ChangeLog, ...entries: IContent[]): void =>
  log.note({ kind: 'splice', start: log.entries.length, deleteCount: 0, entries });
const densityResult = (removals: number[], replacements: [number, IContent][] = []): DensityResult => ({
  removals,
  replacements: new Map(replacements),
  metadata: { readWritePairsPruned: 0, fileDeduplicationsPruned: 0, recencyPruned: 0 },
});
const withoutAccepts = (changes: readonly Change[]) => changes.filter((change) => change.kind !== 'accept');

/** What a replica makes of `changes` when they cross in messages of `limitBytes`. */
function crossed(replica: ReplicaEntries, changes: readonly Change[], limitBytes: number): void {
  for (const message of slices(changes, limitBytes, { isSnapshot: true })) {
    for (const change of withoutAccepts(structuredClone(message.changes))) replica.apply(change);
  }
}

/** One thing that happens to a history; numbers are taken modulo what is there. */
type Step =
  | { readonly kind: 'append'; readonly entries: readonly IContent[] }
  | { readonly kind: 'splice'; readonly at: number; readonly count: number; readonly entries: readonly IContent[] }
  | { readonly kind: 'rebuild'; readonly every: number; readonly entries: readonly IContent[] }
  | { readonly kind: 'apply'; readonly removeEvery: number; readonly entries: readonly IContent[] }
  | { readonly kind: 'clear' | 'send' | 'resend' };

const entry = fc.oneof(
  { weight: 5, arbitrary: generatedHistory().map((history) => history[0] ?? said('x')) },
  oddEntry,
);
const entries = (maxLength: number) => fc.array(entry, { maxLength });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('append' as const), entries: entries(6) }) },
  fc.record({ kind: fc.constant('splice' as const), at: fc.nat(50), count: fc.nat(4), entries: entries(3) }),
  fc.record({ kind: fc.constant('rebuild' as const), every: fc.integer({ min: 1, max: 5 }), entries: entries(4) }),
  fc.record({ kind: fc.constant('apply' as const), removeEvery: fc.integer({ min: 2, max: 6 }), entries: entries(4) }),
  fc.record({ kind: fc.constantFrom('clear' as const, 'send' as const, 'send' as const, 'resend' as const) }),
);

/** Does one step to the log and to the plain list that it is compared with. */
function take(log: ChangeLog, model: IContent[], what: Step): IContent[] {
  switch (what.kind) {
    case 'append':
      appended(log, ...what.entries);
      return [...model, ...what.entries];
    case 'splice': {
      const start = Math.min(what.at, model.length);
      const deleteCount = Math.min(what.count, model.length - start);
      log.note({ kind: 'splice', start, deleteCount, entries: what.entries });
      return model.toSpliced(start, deleteCount, ...what.entries);
    }
    case 'rebuild': {
      // As a compression does: some stay, some are replaced where they stood, some go.
      const kept = model.flatMap((one, index) => {
        if (index % (what.every + 1) !== 0) return [one];
        const replacement = what.entries[index % 5];
        return replacement ? [replacement] : [];
      });
      log.note({ kind: 'splice', start: 0, deleteCount: model.length, entries: kept });
      return kept;
    }
    case 'apply': {
      const removals = model.flatMap((_, index) => (index % what.removeEvery === 1 ? [index] : []));
      const replacements = what.entries
        .map((one, at): [number, IContent] => [at * what.removeEvery, one])
        .filter(([index]) => index < model.length);
      const result = densityResult(removals, replacements);
      log.note({ kind: 'applied', result });
      return applyEdits<IContent>(model, result, (index) => result.replacements.get(index));
    }
    case 'clear':
      log.note({ kind: 'splice', start: 0, deleteCount: model.length, entries: [] });
      return [];
    case 'send':
    case 'resend':
      return model;
  }
}

describe('the change log', () => {
  test('appends run together into one change', () => {
    const log = new ChangeLog();
    appended(log, said('a'));
    appended(log, said('b'), said('c'));
    expect(log.take()).toEqual([
      { kind: 'splice', list: 'history', start: 0, deleteCount: 0, entries: [said('a'), said('b'), said('c')] },
    ]);
    expect(log.take()).toEqual([]);
  });

  test('an accepted result of its own replica crosses as one word', () => {
    const log = new ChangeLog();
    appended(log, said('a'), said('b'));
    log.take();
    const result = densityResult([0]);
    log.rememberResult(result, 7);
    log.note({ kind: 'applied', result });
    expect(log.entries).toEqual([said('b')]);
    expect(log.take()).toEqual([{ kind: 'accept', sequence: 7 }]);
  });

  test('a result of a replica that is gone crosses as a patch', () => {
    const log = new ChangeLog();
    appended(log, said('a'), said('b'));
    const result = densityResult([0]);
    log.rememberResult(result, 7);
    log.takeSnapshot();
    log.note({ kind: 'applied', result });
    expect(log.take()).toEqual([{ kind: 'patch', indices: [], entries: [], removals: [0] }]);
  });

  test('a rebuilt history crosses as what is new, in place of what went', () => {
    const log = new ChangeLog();
    const all = ['a', 'b', 'c', 'd'].map(said);
    appended(log, ...all);
    log.take();
    log.note({ kind: 'splice', start: 0, deleteCount: 4, entries: [all[0]!, said('B'), all[3]!] });
    expect(log.take()).toEqual([{ kind: 'patch', indices: [1], entries: [said('B')], removals: [2] }]);
  });

  test('what was added and cleared before it was sent does not cross', () => {
    const log = new ChangeLog();
    appended(log, said('secret'));
    log.note({ kind: 'splice', start: 0, deleteCount: 1, entries: [] });
    expect(JSON.stringify(log.take())).not.toContain('secret');
  });

  test('the entries of a moment stand when the history moves on', () => {
    const log = new ChangeLog();
    appended(log, said('a'), said('b'));
    const { entries: before, structureVersion } = log;
    appended(log, said('c'));
    expect(log.structureVersion).toBe(structureVersion);
    log.note({ kind: 'splice', start: 0, deleteCount: 3, entries: [] });
    expect(log.structureVersion).toBeGreaterThan(structureVersion);
    expect(before.slice(0, 2)).toEqual([said('a'), said('b')]);
  });

  test('snapshot and deltas make the history, whatever happens and however it is cut (law 6)', () => {
    fc.assert(
      fc.property(
        fc.array(step, { minLength: 1, maxLength: 20 }),
        fc.constantFrom(64, 1_000, 100_000),
        (steps, limitBytes) => {
          const log = new ChangeLog();
          let replica = new ReplicaEntries();
          let model: IContent[] = [];
          const check = (): void => {
            expect(log.entries).toEqual(model);
            const sendable = model.map((one) => (footprint(one).isPlain ? one : plainCopy(one)));
            expect(replica.list('history')).toEqual(structuredClone(sendable));
            const bytes = replica.list('history').reduce((sum, one) => sum + footprint(one).bytes, 0);
            expect(replica.bytes).toBe(bytes);
          };
          for (const what of steps) {
            model = take(log, model, what);
            if (what.kind === 'send') crossed(replica, log.take(), limitBytes);
            if (what.kind === 'resend') {
              replica = new ReplicaEntries();
              crossed(replica, log.takeSnapshot(), limitBytes);
            }
            if (what.kind === 'send' || what.kind === 'resend') check();
          }
          crossed(replica, log.take(), limitBytes);
          check();
        },
      ),
      { numRuns: 1000 },
    );
  });
});

describe('slices', () => {
  test('hold about the limit each, and an entry over twice the limit goes ahead in parts', () => {
    const limitBytes = 10_000;
    const history = [said('short'), said('x'.repeat(95_000)), said('字'.repeat(30_000)), said('end')];
    const messages = [
      ...slices([{ kind: 'splice', list: 'history', start: 0, deleteCount: 0, entries: history }], limitBytes, {
        isSnapshot: true,
      }),
    ];
    expect(messages.length).toBeGreaterThan(12);
    for (const message of messages) {
      const characters = JSON.stringify(message.changes).length;
      expect(characters).toBeLessThan(limitBytes * 1.3);
    }
    const replica = new ReplicaEntries();
    for (const { changes } of messages)
      for (const change of withoutAccepts(structuredClone(changes))) replica.apply(change);
    expect(replica.list('history')).toEqual(history);
  });

  test('begin small for a snapshot, and take what an ordinary turn adds at once', () => {
    const turn = Array.from({ length: 3 }, () => said('x'.repeat(4_000)));
    const change = { kind: 'splice', list: 'history', start: 0, deleteCount: 0, entries: turn } as const;
    const lengthOf = (isSnapshot: boolean): number => [...slices([change], 256 * 1024, { isSnapshot })].length;
    expect([lengthOf(false), lengthOf(true)]).toEqual([1, 2]);
  });

  test('are made one at a time', () => {
    let made = 0;
    const history = Array.from({ length: 1_000 }, (_, index) => ({
      speaker: 'human' as const,
      get blocks() {
        made++;
        return [{ type: 'text' as const, text: `${index} ${'x'.repeat(1_000)}` }];
      },
    }));
    const messages = slices([{ kind: 'splice', list: 'history', start: 0, deleteCount: 0, entries: history }], 10_000, {
      isSnapshot: true,
    });
    messages.next();
    expect(made).toBeLessThan(100);
  });

  test('a change that does not fit the replica is refused', () => {
    const replica = new ReplicaEntries();
    expect(() => replica.apply({ kind: 'splice', list: 'history', start: 1, deleteCount: 0, entries: [] })).toThrow(
      RangeError,
    );
    expect(() => replica.apply({ kind: 'patch', indices: [0], entries: [said('a')], removals: [] })).toThrow(
      RangeError,
    );
    expect(() => replica.apply({ kind: 'patch', indices: [], entries: [], removals: [3] })).toThrow(RangeError);
    const texts = [{ textId: 1, at: 0, keys: ['blocks', 9, 'text'] }];
    const splice = { kind: 'splice', list: 'history', start: 0, deleteCount: 0, entries: [said('a')], texts } as const;
    expect(() => replica.apply(splice)).toThrow(TypeError);
  });
});

describe('long texts', () => {
  test('are taken out and put back, whatever shape holds them', () => {
    fc.assert(
      fc.property(oddEntry, fc.constantFrom(8, 100, 500_000), (odd, longUnits) => {
        const plain = footprint(odd).isPlain ? odd : plainCopy(odd);
        const { entry: taken, texts } = takeLongTexts(plain, longUnits);
        const arrived = structuredClone(taken);
        expect(texts.every(({ text }) => text.length > longUnits)).toBe(true);
        for (const { keys, text } of texts) putText(arrived, keys, text);
        expect(arrived).toEqual(plain);
      }),
      { numRuns: 500 },
    );
  });
});
