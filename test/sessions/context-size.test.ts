import { describe, expect, test } from 'vitest';
import type { IContent } from '../../src/content/content.ts';
import type { SessionEvent } from '../../src/content/session-event.ts';
import { contextSize } from '../../src/sessions/context-size.ts';
import { ai, human } from '../strategies/conversation.ts';

const add = (content: IContent): SessionEvent => ({ kind: 'add', content });
const answered = (promptTokens: number, completionTokens: number): IContent => ({
  ...ai('done'),
  metadata: { usage: { promptTokens, completionTokens, totalTokens: promptTokens + completionTokens } },
});
/** Each entry has 100 tokens by our count. */
const sizeOf = (...events: readonly SessionEvent[]) =>
  contextSize({ format: 'claude-code', events, skipped: [] }, () => 100);

describe('the size of a context', () => {
  test('is what the provider counted of the last call, with its answer, and our count of what came after', () => {
    const size = sizeOf(
      add(human('a')),
      add(answered(20_000, 300)),
      add(human('b')),
      add(answered(21_000, 500)),
      add(human('c')),
    );
    expect(size).toEqual({ tokens: 21_600, unrecordedTokens: 21_100, isReported: true });
  });

  test('is our count where nothing is reported', () => {
    expect(sizeOf(add(human('a')), add(ai('b')))).toEqual({ tokens: 200, unrecordedTokens: 0, isReported: false });
  });

  test('right after a compaction is our count of what is left, and what first calls had beyond their text', () => {
    const events = [add(human('a')), add(answered(20_000, 300)), add(answered(150_000, 300))];
    const compaction: SessionEvent = { kind: 'replace', contents: [human('summary')], by: { kind: 'compaction' } };
    expect(sizeOf(...events, compaction)).toEqual({
      tokens: 20_000,
      unrecordedTokens: 19_900,
      isReported: false,
      isDerived: true,
    });
    expect(sizeOf(...events, compaction, add(answered(30_000, 10)))).toMatchObject({
      tokens: 30_010,
      isReported: true,
    });
  });

  test('is derived where what a provider counted is less what was removed', () => {
    const call = answered(20_000, 300);
    const usage = call.metadata!.usage!;
    const estimate = { ...call, metadata: { ...call.metadata, usage: { ...usage, reported: usage } } };
    expect(sizeOf(add(human('a')), add(estimate))).toMatchObject({ isReported: false, isDerived: true });
  });

  test('is derived where a picture counts by its size', () => {
    const picture = { type: 'media', mimeType: 'image/png', data: 'iVBORw0KGgo', encoding: 'base64' } as const;
    const shown = add({ speaker: 'human', blocks: [picture] });
    expect(sizeOf(add(human('a')), shown)).toMatchObject({ isReported: false, isDerived: true });
  });

  test('is our count where the provider reported far less than the text that the call had', () => {
    const before = Array.from({ length: 30 }, () => add(human('a')));
    expect(sizeOf(...before, add(answered(100, 10)))).toEqual({
      tokens: 3_100,
      unrecordedTokens: 0,
      isReported: false,
      isContradicted: true,
    });
    expect(sizeOf(...before, add(answered(1_000, 10)))).toMatchObject({ tokens: 1_010, isReported: true });
  });

  test('is smaller than our count if the provider counted less', () => {
    expect(sizeOf(add(human('a')), add(answered(50, 10)))).toEqual({
      tokens: 60,
      unrecordedTokens: 0,
      isReported: true,
    });
  });
});
