import { describe, expect, test } from 'vitest';
import type { IContent } from '../../src/content/content.ts';
import type { SessionEvent } from '../../src/content/session-event.ts';
import { constantTokensOf } from '../../src/sessions/constant-tokens.ts';
import { ai, human } from '../strategies/conversation.ts';

/** Every entry counts 100 tokens, the system prompt 7. */
const COUNTS = { tokensOf: () => 100, countBlock: () => 7 };
const answer = (promptTokens: number): IContent => ({
  ...ai('yes'),
  metadata: { usage: { promptTokens, completionTokens: 1, totalTokens: promptTokens + 1 } },
});
const rebuilt = (...contents: IContent[]): SessionEvent => ({ kind: 'replace', contents });

function constantOf(parts: readonly (IContent | SessionEvent)[], systemText?: string): number {
  const events = parts.map((part) => ('kind' in part ? part : ({ kind: 'add', content: part } as const)));
  const session = { format: 'high-density', events, skipped: [], ...(systemText !== undefined && { systemText }) };
  return constantTokensOf(session, COUNTS);
}

describe('the tokens of system prompt and tools', () => {
  test('are what the first reported prompt has beyond the recorded history', () => {
    expect(constantOf([human('a'), answer(20_100), human('b'), answer(90_000)])).toBe(20_000);
    expect(constantOf([human('a'), answer(50)])).toBe(0);
  });

  test('are those of a recording that starts with a rebuilt history', () => {
    expect(constantOf([rebuilt(human('summary'), human('go on')), answer(30_200)])).toBe(30_000);
  });

  test('are those after a rebuild if the recording starts in the middle', () => {
    expect(constantOf([human('a'), answer(150_100), rebuilt(human('summary')), answer(25_100)])).toBe(25_000);
  });

  test('are not known from a recording that starts in the middle and ends there', () => {
    expect(constantOf([human('a'), answer(150_100), human('b'), answer(150_300)])).toBe(20_000);
    expect(constantOf([human('a'), answer(150_100)], 'You help.')).toBe(7);
  });

  test('are the recorded text, or a usual number, if no prompt was reported', () => {
    expect(constantOf([human('a'), ai('yes')], 'You help.')).toBe(7);
    expect(constantOf([human('a'), ai('yes')])).toBe(20_000);
  });
});
