import { expect, test } from 'vitest';
import { guardProcess } from '../../src/cli/terminal/process-guard.ts';

/** The listeners of the test runner step aside. */
async function withoutOthers(work: () => Promise<void>): Promise<void> {
  const events = ['uncaughtException', 'unhandledRejection'] as const;
  const others = events.map((event) => process.listeners(event as 'uncaughtException'));
  for (const event of events) process.removeAllListeners(event);
  try {
    await work();
  } finally {
    for (const [at, event] of events.entries()) for (const one of others[at]!) process.on(event, one);
  }
}

test('a fault that nothing caught is told and counted, and the process goes on', async () => {
  const told: string[] = [];
  let count = 0;
  await withoutOthers(async () => {
    const end = guardProcess({ onFault: (what) => void told.push(what), onCount: () => count++ });
    setImmediate(() => {
      throw new Error('first');
    });
    for (let at = 0; at < 30; at++) void Promise.reject(new Error('then'));
    await new Promise((resolve) => setTimeout(resolve, 0));
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    end();
    expect(process.listenerCount('uncaughtException')).toBe(0);
    expect(process.listenerCount('unhandledRejection')).toBe(0);
  });
  expect(count).toBe(31);
  expect(told).toHaveLength(20);
  expect(told.join('\n')).toMatch(/no code caught.*: then at .*process-guard\.test/);
});

test('no entry of the library installs it', async () => {
  const before = process.listenerCount('uncaughtException') + process.listenerCount('unhandledRejection');
  for (const entry of ['index', 'live', 'sessions', 'fetch']) await import(`../../dist/${entry}.js`);
  expect(process.listenerCount('uncaughtException') + process.listenerCount('unhandledRejection')).toBe(before);
});
