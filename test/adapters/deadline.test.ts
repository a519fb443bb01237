import { describe, expect, test, vi } from 'vitest';
import type { PrunerStore } from '../../src/live/contract.ts';
import { memoryStore } from '../../src/live/memory-store.ts';
import { stillClock } from '../still-clock.ts';
import { type Exchange, HOOKS, type Hook } from './hooks.ts';

stillClock();

/** A store that can stop to answer. */
class SlowStore implements PrunerStore {
  readonly #store = memoryStore();
  readonly load = this.#store.load;
  #answers = Promise.resolve();
  asked = 0;

  readonly append: PrunerStore['append'] = async (...given) => {
    this.asked++;
    await this.#answers;
    return this.#store.append(...given);
  };

  /** Until the function that it returns is called. */
  stop(): () => void {
    let resume = (): void => {};
    this.#answers = new Promise((resolve) => {
      resume = resolve;
    });
    return resume;
  }
}

const read = (turn: number, file: string): Exchange => ({
  id: `call_${turn}`,
  name: 'read',
  input: { path: `/p/${file}` },
  result: Array.from({ length: 160 }, (_, line) => `line ${line} of ${file}, a file`).join('\n'),
});

/** What is sent while the store does not answer, once two seconds are over. */
async function late(store: SlowStore, send: () => Promise<string>): Promise<string> {
  const resume = store.stop();
  const asked = store.asked;
  const sending = send();
  await expect.poll(() => store.asked).toBeGreaterThan(asked);
  await vi.advanceTimersByTimeAsync(2_000);
  const sent = await sending;
  resume();
  return sent;
}

/** Sends more of one conversation through a new adapter. */
function started(hook: Hook, store: SlowStore) {
  const send = hook.start({ store, now: () => 0 });
  const list = [hook.first('start')];
  return (...more: Exchange[]): Promise<string> => {
    list.push(...more.flatMap((one) => hook.elements(one)));
    return send(list, 'one');
  };
}

const repeats = (text: string): number => text.split('⟦density: 160 lines').length - 1;

describe.each(Object.entries(HOOKS))('%s, whose store takes over two seconds', (_, hook) => {
  test('sends the same prefix, and nothing new is pruned', async () => {
    const store = new SlowStore();
    const send = started(hook, store);
    const first = await send(read(0, 'a.ts'), read(1, 'a.ts'));
    const second = await late(store, () => send(read(2, 'b.ts'), read(3, 'b.ts')));
    expect(second.startsWith(first)).toBe(true);
    // Now some models would get the prefix without the first of the two reads.
    const third = await late(store, () => send(read(4, 'c.ts'), read(5, 'c.ts')));
    expect(third.startsWith(second)).toBe(true);
    expect([first, second, third].map(repeats)).toEqual([1, 1, 1]);
    const fourth = await send(read(6, 'd.ts'), read(7, 'd.ts'));
    expect(fourth.startsWith(first)).toBe(true);
    expect(repeats(fourth)).toBe(2);
  });

  test('sends the same prefix in the first request after a restart too', async () => {
    const store = new SlowStore();
    const requests = [[read(0, 'a.ts'), read(1, 'a.ts')], [read(2, 'b.ts')], [read(3, 'b.ts')]];
    const send = started(hook, store);
    await send(...requests[0]!);
    const last = await send(...requests[1]!);
    const restarted = started(hook, store);
    const after = await late(store, () => restarted(...requests.flat()));
    expect(after.startsWith(last)).toBe(true);
    expect(repeats(after)).toBe(1);
  });
});
