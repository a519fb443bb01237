import * as product from 'high-density';
import { afterAll, expect, test } from 'vitest';

const pool = new product.ThreadPool({
  workerFile: new URL('../../dist/workers/engine.js', import.meta.url),
  minBytes: 0,
});
afterAll(() => pool.close());

test.each(['threads', 'Inline', '', null, 1])(
  'a history with the engine %j is refused, and a running one keeps its own',
  async (name) => {
    const engine = name as product.EngineName;
    expect(() => product.createHistoryService({ engine, pool })).toThrow(
      'Expected `engine` to be "offloaded" or "inline"',
    );
    const history = product.createHistoryService({ engine: 'inline' });
    await expect(product.switchEngine(history, engine, pool)).rejects.toMatchObject({ code: 'SETTING_INVALID' });
    expect(history.engine.name).toBe('inline');
  },
);

test('threads start before the first entry where the history is expected to be large, and not before otherwise', async () => {
  const own = new product.ThreadPool({ workerFile: new URL('../../dist/workers/engine.js', import.meta.url) });
  const small = product.createHistoryService({ pool: own, expectedBytes: own.minBytes - 1 });
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(own.isRunning).toBe(false);
  const large = product.createHistoryService({ pool: own, expectedBytes: own.minBytes });
  await expect.poll(() => own.isRunning).toBe(true);
  expect(large.getTotalTokens() + small.getTotalTokens()).toBe(0);
  await own.close();
});

test('a history that is switched over and over while it counts loses nothing, and reports each entry once', async () => {
  const inline = product.createHistoryService({ engine: 'inline', model: 'gpt-5' });
  const history = product.createHistoryService({ engine: 'offloaded', model: 'gpt-5', pool });
  let told = 0;
  const degraded: unknown[] = [];
  history.on('tokensUpdated', () => told++);
  history.on('engineDegraded', ({ reason }) => degraded.push(reason));
  const switched: Promise<void>[] = [];
  for (let index = 0; index < 120; index++) {
    const message = product.createUserMessage(`message ${index} `.repeat(2000));
    history.add(message);
    inline.add(message);
    if (index % 30 === 15)
      switched.push(product.switchEngine(history, index % 60 === 15 ? 'inline' : 'offloaded', pool));
    if (index % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.all([...switched, history.waitForTokenUpdates(), inline.waitForTokenUpdates()]);
  expect(history.getTokensPerEntry()).toEqual(inline.getTokensPerEntry());
  expect([history.getTotalTokens(), told, history.engine.name]).toEqual([inline.getTotalTokens(), 120, 'offloaded']);
  expect(degraded).toEqual([]);
  for (const one of [history, inline]) one.dispose();
});
