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
import { runs } from '../../property-runs.ts';
import { oddEntry } from '../odd-values.ts';

const said = (text: string): IContent => ({ speaker: 'human', blocks: [{ type: 'text', text }] });
const densityResult = (removals: number[], replacements: [number, IContent][] = []): DensityResult => ({
  removals,
  replacements: new Map(replacements),
  metadata: { readWritePairsPruned: 0, fileDeduplicationsPruned: 0, recencyPruned: 0 },
});

/** A history as a plain list, and the log that gets each change. */
class LoggedHistory {
  readonly entries: IContent[] = [];
  readonly log = new ChangeLog();

  constructor() {
    this.log.follow(this.entries);
  }

  append(...entries: readonly IContent[]): void {
    this.splice(this.entries.length, 0, entries);
  }

  splice(start: number, deleteCount: number, entries: readonly IContent[]): void {
    const removed = this.entries.splice(start, deleteCount, ...entries);
    this.log.note({ kind: 'splice', start, removed, entries });
  }

  apply(result: DensityResult): void {
    const edited = applyEdits(this.entries, result);
    this.entries.splice(0, this.entries.length, ...edited);
    this.log.note({ kind: 'applied', result });
  }
}

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

/** Does one step to a history. */
function take(history: LoggedHistory, what: Step): void {
  const { length } = history.entries;
  switch (what.kind) {
    case 'append':
      history.append(...what.entries);
      break;
    case 'splice': {
      const start = Math.min(what.at, length);
      history.splice(start, Math.min(what.count, length - start), what.entries);
      break;
    }
    case 'rebuild': {
      // As a compression does: some are kept, some are replaced in place, some are removed.
      const kept = history.entries.flatMap((one, index) => {
        if (index % (what.every + 1) !== 0) return [one];
        const replacement = what.entries[index % 5];
        return replacement ? [replacement] : [];
      });
      history.splice(0, length, kept);
      break;
    }
    case 'apply': {
      const removals = history.entries.flatMap((_, index) => (index % what.removeEvery === 1 ? [index] : []));
      const replacements = what.entries
        .map((one, at): [number, IContent] => [at * what.removeEvery, one])
        .filter(([index]) => index < length);
      history.apply(densityResult(removals, replacements));
      break;
    }
    case 'clear':
      history.splice(0, length, []);
      break;
    case 'send':
    case 'resend':
      break;
  }
}

describe('the change log', () => {
  test('appends run together into one change', () => {
    const history = new LoggedHistory();
    history.append(said('a'));
    history.append(said('b'), said('c'));
    expect(history.log.take()).toEqual([
      { kind: 'splice', list: 'history', start: 0, deleteCount: 0, entries: [said('a'), said('b'), said('c')] },
    ]);
    expect(history.log.take()).toEqual([]);
  });

  test('an accepted result of its own replica crosses as one word', () => {
    const history = new LoggedHistory();
    history.append(said('a'), said('b'));
    history.log.take();
    const result = densityResult([0]);
    history.log.rememberResult(result, 7);
    history.apply(result);
    expect(history.log.entries).toEqual([said('b')]);
    expect(history.log.take()).toEqual([{ kind: 'accept', sequence: 7 }]);
  });

  test('a result of a lost replica is sent as a patch', () => {
    const history = new LoggedHistory();
    history.append(said('a'), said('b'));
    const result = densityResult([0]);
    history.log.rememberResult(result, 7);
    history.log.takeSnapshot();
    history.apply(result);
    expect(history.log.take()).toEqual([{ kind: 'patch', indices: [], entries: [], removals: [0] }]);
  });

  test('a rebuilt history crosses as what is new, in place of what went', () => {
    const history = new LoggedHistory();
    const all = ['a', 'b', 'c', 'd'].map(said);
    history.append(...all);
    history.log.take();
    history.splice(0, 4, [all[0]!, said('B'), all[3]!]);
    expect(history.log.take()).toEqual([{ kind: 'patch', indices: [1], entries: [said('B')], removals: [2] }]);
  });

  test('what was added and cleared before it was sent does not cross', () => {
    const history = new LoggedHistory();
    history.append(said('secret'));
    history.splice(0, 1, []);
    expect(JSON.stringify(history.log.take())).not.toContain('secret');
  });

  test('only a change other than an append raises the structure version', () => {
    const history = new LoggedHistory();
    history.append(said('a'), said('b'));
    const { structureVersion } = history.log;
    history.append(said('c'));
    expect(history.log.structureVersion).toBe(structureVersion);
    history.splice(0, 3, []);
    expect(history.log.structureVersion).toBeGreaterThan(structureVersion);
  });

  test('a history that is followed later crosses whole', () => {
    const log = new ChangeLog();
    log.follow([said('a'), said('b')]);
    expect(log.take()).toEqual([]);
    expect(log.takeSnapshot()).toEqual([
      { kind: 'splice', list: 'history', start: 0, deleteCount: 0, entries: [said('a'), said('b')] },
    ]);
  });

  test('snapshot and deltas make the history, whatever happens and however it is cut (law 6)', () => {
    fc.assert(
      fc.property(
        fc.array(step, { minLength: 1, maxLength: 20 }),
        fc.constantFrom(64, 1_000, 100_000),
        (steps, limitBytes) => {
          const history = new LoggedHistory();
          const { log, entries: model } = history;
          let replica = new ReplicaEntries();
          const check = (): void => {
            const sendable = model.map((one) => (footprint(one).isPlain ? one : plainCopy(one)));
            expect(replica.list('history')).toEqual(structuredClone(sendable));
            const bytes = replica.list('history').reduce((sum, one) => sum + footprint(one).bytes, 0);
            expect(replica.bytes).toBe(bytes);
          };
          for (const what of steps) {
            take(history, what);
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
      { numRuns: runs(1000) },
    );
  });
});

describe('slices', () => {
  test('have about the limit each, and an entry over twice the limit is sent before in parts', () => {
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
  test('are removed and put back, in values of any shape', () => {
    fc.assert(
      fc.property(oddEntry, fc.constantFrom(8, 100, 500_000), (odd, longUnits) => {
        const plain = footprint(odd).isPlain ? odd : plainCopy(odd);
        const { entry: taken, texts } = takeLongTexts(plain, longUnits);
        const arrived = structuredClone(taken);
        expect(texts.every(({ text }) => text.length > longUnits)).toBe(true);
        for (const { keys, text } of texts) putText(arrived, keys, text);
        expect(arrived).toEqual(plain);
      }),
      { numRuns: runs(500) },
    );
  });
});
