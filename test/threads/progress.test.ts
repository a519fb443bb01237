import { once } from 'node:events';
import { expect, test, vi } from 'vitest';
import { listenToProgress, progressReporter } from '../../src/threads/progress.ts';

test('a thread reports nothing more once nobody listens', async () => {
  const heard = vi.fn();
  const { port, close } = listenToProgress(heard);
  let nowMs = 0;
  const reporter = await progressReporter(port, () => nowMs);
  const progress = { synchronisedEntries: 1, synchronisedBytes: 10, countedEntries: 1, countedTokens: 5 };
  reporter.report(progress);
  await expect.poll(() => heard.mock.calls).toHaveLength(1);
  const closed = once(port, 'close');
  port.ref();
  close();
  await closed;
  const posted = vi.spyOn(port, 'postMessage');
  nowMs = 1_000;
  reporter.report(progress);
  expect(posted).not.toHaveBeenCalled();
});
