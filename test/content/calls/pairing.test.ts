import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isAmbiguous,
  isFailure,
  orphanResponses,
  pairCalls,
  responseExtent,
  unansweredCalls,
} from '../../../src/content/calls/pairing.ts';
import type { ContentBlock, IContent, ToolCallBlock, ToolResponseBlock } from '../../../src/content/content.ts';
import { generatedHistory } from '../../generated-history.ts';
import { runs } from '../../property-runs.ts';

const call = (id: string): ToolCallBlock => ({ type: 'tool_call', id, name: 'read_file', parameters: {} });
const answer = (callId: string, more: Partial<ToolResponseBlock> = {}): ToolResponseBlock => ({
  type: 'tool_response',
  callId,
  toolName: 'read_file',
  result: 'ok',
  ...more,
});
const ai = (...blocks: ContentBlock[]): IContent => ({ speaker: 'ai', blocks });
const tool = (...blocks: ContentBlock[]): IContent => ({ speaker: 'tool', blocks });

/** `entry.block -> entry.block` of the call, or `-` for an orphan. */
function links(history: readonly IContent[]): string[] {
  return pairCalls(history).responses.map(
    ({ entry, block, call: paired }) => `${entry}.${block} -> ${paired ? `${paired.entry}.${paired.block}` : '-'}`,
  );
}

describe('pairCalls', () => {
  test('pairs parallel calls with their results at any position', () => {
    expect(links([ai(call('a'), call('b')), tool(answer('b'), answer('a'))])).toEqual(['1.0 -> 0.1', '1.1 -> 0.0']);
  });

  test('a reused id is answered by the nearest earlier unanswered call (row 7)', () => {
    const history = [ai(call('a')), tool(answer('a')), ai(call('a')), tool(answer('a'))];
    expect(links(history)).toEqual(['1.0 -> 0.0', '3.0 -> 2.0']);
    const human: IContent = { speaker: 'human', blocks: [] };
    expect(links([ai(call('a')), human, ai(call('a')), tool(answer('a')), tool(answer('a'))])).toEqual([
      '3.0 -> 2.0',
      '4.0 -> 0.0',
    ]);
  });

  test.each([
    ['one entry', [ai(call('a'), call('b'), call('a')), tool(answer('a'), answer('b'), answer('a'))]],
    ['an entry each', [ai(call('a')), ai(call('b'), call('a')), tool(answer('a')), tool(answer('b'), answer('a'))]],
    ['a result each', [ai(call('a'), answer('a'), call('b'), answer('b'), call('a'), answer('a'))]],
  ])('calls of one answer with one id are answered in order: %s (row 7)', (_, history) => {
    const { calls, responses } = pairCalls(history);
    expect(responses.map(({ call: paired }) => calls.indexOf(paired!))).toEqual([0, 1, 2]);
    expect(calls.some(isAmbiguous)).toBe(false);
  });

  test.each([
    ['fewer', [ai(call('a'), call('a')), tool(answer('a'))]],
    ['more', [ai(call('a'), call('a')), tool(answer('a'), answer('a'), answer('a'))]],
    ['no', [ai(call('a'), call('a'))]],
  ])('calls of one answer with one id are ambiguous with %s results (row 7)', (_, history) => {
    expect(pairCalls(history).calls.map(isAmbiguous)).toEqual([true, true]);
  });

  test('another result for an answered id belongs to the nearest earlier call (EC-032, row 7)', () => {
    const history = [ai(call('a')), tool(answer('a')), ai(call('a')), tool(answer('a')), tool(answer('a'))];
    expect(links(history)).toEqual(['1.0 -> 0.0', '3.0 -> 2.0', '4.0 -> 2.0']);
  });

  test('finds unanswered calls and orphan results; a result before its call is an orphan', () => {
    const pairing = pairCalls([tool(answer('a')), ai(call('a'), call('b')), tool(answer('b'))]);
    expect(unansweredCalls(pairing).map((open) => open.call.id)).toEqual(['a']);
    expect(orphanResponses(pairing).map((orphan) => orphan.entry)).toEqual([0]);
  });

  test('is linear for one id that is reused many times', () => {
    const history = Array.from({ length: 60_000 }, (_, at) => (at % 2 ? tool(answer('x')) : ai(call('x'))));
    const pairing = pairCalls(history);
    expect(pairing.responses.every((response) => response.call?.entry === response.entry - 1)).toBe(true);
  });
});

describe('isFailure', () => {
  test('is decided by the error field and the status of a format, never by the text of the result (row 2)', () => {
    expect(isFailure(answer('a', { error: 'no such file' }))).toBe(true);
    expect(isFailure(answer('a', { providerMetadata: { status: 'cancelled' } }))).toBe(true);
    expect(isFailure(answer('a', { providerMetadata: { status: 'preview' } }))).toBe(true);
    expect(isFailure(answer('a', { providerMetadata: { status: 'success' } }))).toBe(false);
    expect(isFailure(answer('a', { result: 'Error: cancelled' }))).toBe(false);
  });
});

describe('responseExtent', () => {
  const image: ContentBlock = { type: 'media', mimeType: 'image/png', data: 'AA', encoding: 'base64' };
  const text: ContentBlock = { type: 'text', text: 'a page' };

  test('contains the text and media after a result, and before the first one, in a tool entry (row 7)', () => {
    const entry = tool(text, answer('a'), image, text, answer('b'), image);
    expect(responseExtent(entry, 1)).toEqual([0, 4]);
    expect(responseExtent(entry, 4)).toEqual([4, 6]);
  });

  test('contains only the result in an entry of a human or an ai', () => {
    expect(responseExtent({ speaker: 'human', blocks: [text, answer('a'), image] }, 1)).toEqual([1, 2]);
  });
});

test('gives a result the first open call with its id of the nearest answer, else the nearest call', () => {
  fc.assert(
    fc.property(generatedHistory(), (history) => {
      const { calls, responses } = pairCalls(history);
      const answerOf = (entry: number): number =>
        history[entry]!.speaker === 'ai' && history[entry - 1]?.speaker === 'ai' ? answerOf(entry - 1) : entry;
      const answered = new Set<unknown>();
      for (const { entry, block, response, call: found } of responses) {
        const earlier = calls.filter(
          (one) => one.call.id === response.callId && (one.entry - entry || one.block - block) < 0,
        );
        const open = earlier.filter((one) => !answered.has(one));
        const nearest = open.findLast(() => true);
        const first = open.find((one) => answerOf(one.entry) === answerOf(nearest!.entry));
        expect(found).toBe(first ?? earlier.at(-1));
        answered.add(found);
      }
      const owned = calls.flatMap((one) => one.responses);
      expect(new Set(owned)).toEqual(new Set(responses.filter((one) => one.call !== undefined)));
    }),
    { numRuns: runs(1000) },
  );
});
