import { expect, test } from 'vitest';
import { injectFrameFaults } from '../../../tools/proof/websocket/frame-faults.ts';

test('a sample of injected faults loses and changes no frame', async () => {
  const { frames, wrong } = await injectFrameFaults(60, 1);
  expect(wrong).toEqual([]);
  expect(frames).toBeGreaterThan(100);
});
