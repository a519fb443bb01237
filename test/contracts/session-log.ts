import { expect } from 'vitest';
import type { SessionLog } from '../../src/fleet/log/session-log.ts';

const turn = (id: string, payload = `payload of ${id}`) => ({ id, payload });

/** What every session log does, by its name. Each rejects on a log that does not; `fresh` gives a log without sessions. */
export const SESSION_LOG_CONTRACT: Readonly<Record<string, (fresh: () => Promise<SessionLog>) => Promise<void>>> = {
  async 'keeps each turn once, in order, and refuses another payload under its id'(fresh) {
    const log = await fresh();
    expect(await log.enqueue('s', turn('a'))).toBe('added');
    expect(await log.enqueue('s', turn('b'))).toBe('added');
    expect(await log.enqueue('s', turn('a'))).toBe('known');
    expect(await log.enqueue('s', turn('a', 'other'))).toBe('refused');
    expect(await log.enqueue('other', turn('a', 'other'))).toBe('added');
    expect(await log.read('s')).toEqual({ version: 0, turns: [turn('a'), turn('b')] });
  },

  async 'takes a commit of the version that was read, and no other'(fresh) {
    const log = await fresh();
    await log.enqueue('s', turn('a'));
    await log.enqueue('s', turn('b'));
    const { version } = await log.read('s');
    expect(await log.commit('s', { expected: version, lines: ['1', '2'], taken: 1 })).toBe(1);
    expect(await log.commit('s', { expected: version, lines: ['x'], taken: 1 })).toBeUndefined();
    expect(await log.load('s', 0)).toEqual({ version: 1, lines: ['1', '2'] });
    expect(await log.load('s', 1)).toEqual({ version: 1, lines: ['2'] });
    expect(await log.read('s')).toEqual({ version: 1, turns: [turn('b')] });
    // A commit without a line is one too: it takes turns.
    expect(await log.commit('s', { expected: 1, lines: [], taken: 1 })).toBe(2);
    expect(await log.enqueue('s', turn('b'))).toBe('known');
    expect(await log.read('s')).toEqual({ version: 2, turns: [] });
  },

  async 'lets one of many rivals win'(fresh) {
    const log = await fresh();
    await log.enqueue('s', turn('a'));
    const rivals = Array.from({ length: 8 }, (_, index) =>
      log.commit('s', { expected: 0, lines: [`${index}`], taken: 1 }),
    );
    const won = (await Promise.all(rivals)).filter((version) => version !== undefined);
    expect(won).toEqual([1]);
    expect((await log.load('s', 0)).lines).toHaveLength(1);
  },

  async 'names the sessions that wait'(fresh) {
    const log = await fresh();
    await log.enqueue('waits', turn('a'));
    await log.enqueue('done', turn('a'));
    await log.commit('done', { expected: 0, lines: [], taken: 1 });
    expect(await log.pending(0)).toEqual(['waits']);
    expect(await log.pending(60_000)).toEqual([]);
  },

  async 'keeps turns that are added while others work'(fresh) {
    const log = await fresh();
    const ids = Array.from({ length: 30 }, (_, index) => `t${index}`);
    const work = async (): Promise<void> => {
      for (let idle = 0; idle < 20; ) {
        const { version, turns } = await log.read('s');
        const lines = turns.map(({ id }) => id);
        if (turns.length === 0) idle++;
        else await log.commit('s', { expected: version, lines, taken: turns.length });
      }
    };
    const add = async (): Promise<void> => {
      for (const id of ids) await log.enqueue('s', turn(id));
    };
    await Promise.all([add(), add(), work(), work(), work()]);
    await work();
    expect((await log.load('s', 0)).lines).toEqual(ids);
  },

  async 'commits any number of lines in one step'(fresh) {
    const log = await fresh();
    const lines = Array.from({ length: 200_000 }, (_, at) => `{"a":${at}}`);
    expect(await log.commit('s', { expected: 0, lines, taken: 0 })).toBe(1);
    const { lines: kept } = await log.load('s', 1);
    expect([kept.length, kept[0], kept.at(-1)]).toEqual([lines.length - 1, lines[1], lines.at(-1)]);
  },
};
