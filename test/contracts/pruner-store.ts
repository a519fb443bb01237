import { expect } from 'vitest';
import type { PrunerStore } from '../../src/live/contract.ts';

const linesOf = async (store: PrunerStore, name = 'c'): Promise<readonly string[]> => (await store.load(name)).lines;

/** Opens the same conversations each time, as another process sees them. */
type Open = () => Promise<PrunerStore>;

/** What every store of decisions does, by its name. Each rejects on a store that does not; `open` begins without conversations. */
export const PRUNER_STORE_CONTRACT: Readonly<Record<string, (open: Open) => Promise<void>>> = {
  async 'keeps lines in order, each conversation for itself, also for others'(open) {
    const store = await open();
    const other = await open();
    expect(await store.load('c')).toMatchObject({ lines: [], isWhole: true });
    await store.append('c', ['{"a":"ü\\n"}', '{"b":2}']);
    await other.append('c', ['{"c":3}']);
    await other.append('another', ['{"d":4}']);
    expect(await linesOf(store)).toEqual(['{"a":"ü\\n"}', '{"b":2}', '{"c":3}']);
    expect(await linesOf(other, 'another')).toEqual(['{"d":4}']);
  },

  async 'gives what others appended after a version'(open) {
    const store = await open();
    const other = await open();
    const { version } = await store.load('c');
    const first = await store.append('c', ['{"a":1}'], version);
    expect(await store.load('c', first)).toMatchObject({ lines: [], version: first, isWhole: false });
    await other.append('c', ['{"b":2}']);
    const { version: second, ...rest } = await store.load('c', first);
    expect(rest).toMatchObject({ lines: ['{"b":2}'], isWhole: false });
    await store.append('c', ['{"c":3}'], second);
    expect(await linesOf(other)).toEqual(['{"a":1}', '{"b":2}', '{"c":3}']);
  },

  async 'appends nothing where others appended first'(open) {
    const store = await open();
    const other = await open();
    const { version } = await store.load('c');
    const { version: same } = await other.load('c');
    expect(await store.append('c', ['{"a":1}'], version)).toBeDefined();
    expect(await other.append('c', ['{"lost":1}'], same)).toBeUndefined();
    const after = await other.load('c', same);
    expect(after.lines).toEqual(['{"a":1}']);
    expect(await other.append('c', ['{"b":2}'], after.version)).toBeDefined();
    expect(await linesOf(store)).toEqual(['{"a":1}', '{"b":2}']);
  },

  async 'lets one of many rivals win'(open) {
    const rivals = await Promise.all(Array.from({ length: 8 }, open));
    for (let round = 0; round < 5; round++) {
      const versions = await Promise.all(rivals.map((store) => store.load('c')));
      // The same line from all: what decides is who was first, not what it says.
      const tries = rivals.map((store, at) => store.append('c', [`{"round":${round}}`], versions[at]!.version));
      expect((await Promise.all(tries)).filter((version) => version !== undefined)).toHaveLength(1);
    }
    expect(await linesOf(rivals[0]!)).toEqual([0, 1, 2, 3, 4].map((round) => `{"round":${round}}`));
  },

  async 'appends any number of lines in one step'(open) {
    const store = await open();
    const other = await open();
    const lines = Array.from({ length: 200_000 }, (_, at) => `{"a":${at}}`);
    const { version } = await store.load('c');
    const after = await store.append('c', lines, version);
    expect(await other.append('c', ['{"lost":1}'], version)).toBeUndefined();
    expect(await other.load('c', after)).toMatchObject({ lines: [], isWhole: false });
    const kept = await linesOf(other);
    expect([kept.length, kept[0], kept.at(-1)]).toEqual([lines.length, lines[0], lines.at(-1)]);
  },
};
