import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ContentBlock } from '../../src/content/content.ts';
import type { PrunerStore } from '../../src/live/contract.ts';
import { liveChanges } from '../../src/live/exchange/live-changes.ts';
import { memoryStore } from '../../src/live/memory-store.ts';
import { impatientDisk, impatientWork } from '../../src/proxy/impatient-work.ts';

/** The clock stands still: only what does not wait for a disk comes before `vi.advanceTimersByTimeAsync`. */
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

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
  /** Whether the request has a marker in it. */
  return async (reads: number, name = 'one'): Promise<boolean> => {
    const { body: sent } = await change({
      api: 'anthropic-messages',
      upstream: 'http://a.example',
      isCount: false,
      headers: { 'x-session-id': name },
      body: body(reads),
    });
    return Buffer.from(sent).includes('[density: ');
  };
}

/** Work that never ends, and the moment at which it is first asked for. */
function hanging(): { readonly work: () => Promise<never>; readonly asked: Promise<void> } {
  let onAsked = (): void => {};
  const asked = new Promise<void>((resolve) => (onAsked = resolve));
  return {
    work: () => {
      onAsked();
      return new Promise(() => {});
    },
    asked,
  };
}

/** What is sent by a request that waits for a disk, for under a second. */
async function impatient<Sent>(sending: Promise<Sent>, asked: Promise<void>): Promise<Sent> {
  const over = vi.fn();
  sending.then(over, over);
  await asked;
  await vi.advanceTimersByTimeAsync(400);
  expect(over).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(599);
  return sending;
}

describe('a disk that does not answer', () => {
  test('under the archive: no marker, and only the first request waits, under a second', async () => {
    const { work, asked } = hanging();
    const send = changes({ archive: work });
    const first = await impatient(send(2), asked);
    expect([first, await send(3), await send(4)]).toEqual([false, false, false]);
  });

  test('under the archive is used again when it answers', async () => {
    let onAsked = (): void => {};
    const asked = new Promise<void>((resolve) => (onAsked = resolve));
    let answer = (): void => {};
    let isHanging = true;
    const archive = (): Promise<void> => {
      onAsked();
      return isHanging ? new Promise((resolve) => (answer = resolve)) : Promise.resolve();
    };
    const send = changes({ archive });
    expect(await impatient(send(2), asked)).toBe(false);
    isHanging = false;
    answer();
    await new Promise((resolve) => setImmediate(resolve));
    expect(await send(3)).toBe(true);
  });

  test.each([
    ['read', 'load'],
    ['written', 'append'],
  ] as const)('where decisions are %s: the first request waits under a second, no later one', async (_what, method) => {
    const { work, asked } = hanging();
    const send = changes({ store: { ...memoryStore(), [method]: work } });
    await impatient(send(3), asked);
    for (const [reads, name] of [[4], [4, 'two'], [5]] as const) await send(reads, name);
  });
});

test('work that hangs is tried again after a while', async () => {
  const work = impatientWork({ waitMs: 500, retryMs: 60_000 });
  const tried = vi.fn(hanging().work);
  const first = expect(work(tried)).rejects.toThrow('500 ms');
  await vi.advanceTimersByTimeAsync(501);
  await first;
  await expect(work(tried)).rejects.toThrow('no answer');
  await vi.advanceTimersByTimeAsync(60_000);
  await expect(work(async () => 'kept')).resolves.toBe('kept');
  expect(tried).toHaveBeenCalledTimes(1);
});

test('work that throws before its first wait fails, and nothing is left that could fail later', async () => {
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  const work = impatientWork({ waitMs: 500, retryMs: 60_000 });
  const thrown = work(() => {
    throw new RangeError('too many arguments');
  });
  await expect(thrown).rejects.toThrow('too many arguments');
  await vi.advanceTimersByTimeAsync(1_000);
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', unhandled);
  expect(unhandled).not.toHaveBeenCalled();
  await expect(work(async () => 'kept')).resolves.toBe('kept');
});

test('a store that others use too is still one', () => {
  expect(impatientDisk({ store: { ...memoryStore(), isShared: true } }).store.isShared).toBe(true);
  expect(impatientDisk({ store: memoryStore() }).store.isShared).toBeUndefined();
});
