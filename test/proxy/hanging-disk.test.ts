import { describe, expect, test, vi } from 'vitest';
import type { ContentBlock } from '../../src/content/content.ts';
import type { PrunerStore } from '../../src/live/contract.ts';
import { liveChanges } from '../../src/live/exchange/live-changes.ts';
import { memoryStore } from '../../src/live/memory-store.ts';
import { ImpatientWork, impatientDisk } from '../../src/proxy/impatient-work.ts';

const never = (): Promise<never> => new Promise(() => {});
const TEXT = Array.from({ length: 300 }, (_, at) => `const value${at} = ${at};`).join('\n');

/** A conversation that reads one file again and again: each further result is a repeat, which needs the archive. */
function body(reads: number): Uint8Array {
  const messages: object[] = [{ role: 'user', content: 'Read it.' }];
  for (let at = 0; at < reads; at++) {
    const id = `toolu_${at}`;
    messages.push({
      role: 'assistant',
      content: [{ type: 'tool_use', id, name: 'Read', input: { file_path: '/a.ts' } }],
    });
    messages.push({ role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: TEXT }] });
  }
  return Buffer.from(JSON.stringify({ model: 'claude-sonnet-4-5', tools: [{ name: 'Read' }], messages }));
}

function changes(more: { store?: PrunerStore; archive?: (blocks: readonly ContentBlock[]) => Promise<void> }) {
  const store = more.store ?? memoryStore();
  const change = liveChanges(impatientDisk({ workspaceRoot: '/', store, archive: more.archive ?? (async () => {}) }));
  return async (reads: number, name = 'one') => {
    const startedAt = performance.now();
    const { body: sent } = await change({
      api: 'anthropic-messages',
      upstream: 'http://a.example',
      isCount: false,
      headers: { 'x-session-id': name },
      body: body(reads),
    });
    return { isMarked: Buffer.from(sent).includes('[density: '), ms: performance.now() - startedAt };
  };
}

describe('a disk that does not answer', () => {
  test('under the archive: no marker, and only the first request waits, under a second', async () => {
    const send = changes({ archive: never });
    const [first, second, third] = [await send(2), await send(3), await send(4)];
    expect([first, second, third].map(({ isMarked }) => isMarked)).toEqual([false, false, false]);
    expect(first.ms).toBeLessThan(1_000);
    expect(Math.max(second.ms, third.ms)).toBeLessThan(first.ms / 2);
  });

  test('under the archive is used again when it answers', async () => {
    let answer = (): void => {};
    let isHanging = true;
    const send = changes({
      archive: () => (isHanging ? new Promise((resolve) => (answer = resolve)) : Promise.resolve()),
    });
    expect((await send(2)).isMarked).toBe(false);
    isHanging = false;
    answer();
    await new Promise((resolve) => setImmediate(resolve));
    expect((await send(3)).isMarked).toBe(true);
  });

  test.each<[string, PrunerStore]>([
    ['read', { ...memoryStore(), load: never }],
    ['written', { ...memoryStore(), append: never }],
  ])('where decisions are %s: the first request waits under a second, no later one', async (_what, store) => {
    const send = changes({ store });
    const first = await send(3);
    const later = [await send(4), await send(4, 'two'), await send(5)];
    expect(first.ms).toBeLessThan(1_000);
    expect(Math.max(...later.map(({ ms }) => ms))).toBeLessThan(first.ms / 2);
  });
});

test('work that hangs is tried again after a while', async () => {
  vi.useFakeTimers();
  try {
    const work = new ImpatientWork({ waitMs: 500, retryMs: 60_000 });
    const tried = vi.fn(never);
    const first = expect(work.run(tried)).rejects.toThrow('500 ms');
    await vi.advanceTimersByTimeAsync(501);
    await first;
    await expect(work.run(tried)).rejects.toThrow('no answer');
    await vi.advanceTimersByTimeAsync(60_000);
    await expect(work.run(async () => 'kept')).resolves.toBe('kept');
    expect(tried).toHaveBeenCalledTimes(1);
  } finally {
    vi.useRealTimers();
  }
});
