import { describe, expect, test } from 'vitest';
import { noticeKinds } from '../../src/report/notice-kinds.ts';

describe('kinds of notices', () => {
  test('differ by their words, not by numbers and quoted messages, the most frequent first', () => {
    const rare = 'The thread was lost.';
    const dropped = (entries: string, messages: string): string =>
      `Dropped ${entries}. Messages of yours: ${messages}.`;
    const frequent = [dropped('1 entry', '“Begin.”'), dropped('12 entries', '“Go on.”, “Stop 3 of them.”')];
    expect(noticeKinds([rare, ...frequent])).toEqual([
      { first: frequent[0], count: 2 },
      { first: rare, count: 1 },
    ]);
    expect(noticeKinds([])).toEqual([]);
  });

  test('do not differ by a message without a closing quotation mark', () => {
    const notices = ['Sent “one', `Sent “${'two “'.repeat(100_000)}`];
    expect(noticeKinds(notices)).toEqual([{ first: notices[0], count: 2 }]);
  });
});
