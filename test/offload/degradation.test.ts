import { expect, test } from 'vitest';
import { Degradation } from '../../src/offload/degradation.ts';
import { ThreadUnavailableError } from '../../src/threads/unavailable.ts';

test('is told once, until threads serve again, and so is that', () => {
  const told: string[] = [];
  const degradation = new Degradation(() => ({
    degraded: () => void told.push('degraded'),
    restored: () => void told.push('restored'),
    progressed: () => {},
  }));
  const lost = new ThreadUnavailableError('crashed');
  degradation.end();
  for (let time = 0; time < 2; time++) {
    degradation.begin(lost);
    degradation.begin(lost);
    degradation.end();
    degradation.end();
  }
  expect(told).toEqual(['degraded', 'restored', 'degraded', 'restored']);
});
