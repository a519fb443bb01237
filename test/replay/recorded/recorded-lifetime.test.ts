import { expect, test } from 'vitest';
import { recordedCacheMinutes, withRecordedLifetime } from '../../../src/replay/recorded/recorded-lifetime.ts';
import { createEphemerals } from '../../../src/settings/resolve.ts';
import { sessionOf } from '../../lab/fixture.ts';
import { ai, human } from '../../strategies/conversation.ts';

const answer = (usage: object) => ({
  ...ai('Done.'),
  metadata: { usage: { promptTokens: 100, completionTokens: 1, totalTokens: 101, ...usage } },
});
const plain = sessionOf(human('go'), answer({ writtenTokens: 50 }));
const hour = sessionOf(human('go'), answer({}), answer({ writtenTokens: 50, writtenHourTokens: 50 }));
const model = 'claude-opus-4-6';

test('the recorded lifetime is an hour if any call wrote for an hour, and unknown otherwise', () => {
  expect([recordedCacheMinutes(hour), recordedCacheMinutes(plain)]).toEqual([60, undefined]);
});

test('settings get the recorded lifetime unless they name one', () => {
  const none = createEphemerals([{}], { model });
  expect(withRecordedLifetime(none, hour).densityCacheMinutes?.()).toBe(60);
  expect(withRecordedLifetime(none, plain)).toBe(none);
  const own = createEphemerals([{ 'compression.density.cacheMinutes': 5 }], { model });
  expect(withRecordedLifetime(own, hour).densityCacheMinutes?.()).toBe(5);
});
