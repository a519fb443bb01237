import { describe, expect, test } from 'vitest';
import type { IContent, Usage } from '../../../src/content/content.ts';
import type { SessionEvent } from '../../../src/content/session-event.ts';
import { fileBytes } from '../../../src/disk/file-bytes.ts';
import { areResultsShortened } from '../../../src/sessions/prompts/shortened-results.ts';
import { readSession } from '../../../src/sessions/read-session.ts';
import { entryCounter } from '../../../src/tokens/entries/block-counter.ts';
import { realSessions } from '../../real-sessions.ts';

const tokensOf = entryCounter('claude-sonnet-4-5');
const TEXT = Array.from({ length: 200 }, (_, at) => `const value${at} = ${at};`).join('\n');
const result = (callId: string): IContent => ({
  speaker: 'tool',
  blocks: [{ type: 'tool_response', callId, toolName: 'Read', result: TEXT }],
});
const WHOLE = tokensOf(result('c'));

const add = (content: IContent): SessionEvent => ({ kind: 'add', content });
const answer = (promptTokens: number, more: Partial<Usage> = {}): SessionEvent => {
  const usage = { promptTokens, completionTokens: 20, totalTokens: promptTokens + 20, ...more };
  return add({ speaker: 'ai', blocks: [{ type: 'text', text: 'More.' }], metadata: { usage } });
};

/** Before each answer but the first a whole result is recorded, and the prompt grows by so many tokens. */
function grownBy(growth: readonly number[], between: readonly SessionEvent[] = []): boolean {
  let promptTokens = 20_000;
  const events = growth.flatMap((tokens, at) => {
    promptTokens += tokens;
    return [...between, add(result(`c${at}`)), answer(promptTokens)];
  });
  return areResultsShortened({ format: 'pi', events: [answer(20_000), ...events], skipped: [] }, tokensOf);
}

describe('results', () => {
  test('were shortened where the prompt hardly grew by them, more than once', () => {
    expect(grownBy([WHOLE, 60, WHOLE, 70])).toBe(true);
    expect(grownBy([WHOLE, 60, WHOLE])).toBe(false);
    expect(grownBy([WHOLE, WHOLE, WHOLE])).toBe(false);
  });

  test('say nothing where the prompt became smaller, which agents do themselves', () => {
    expect(grownBy([WHOLE, -2_000, -3_000, WHOLE])).toBe(false);
  });

  test('say nothing after a compaction, or of an estimate', () => {
    const compaction: SessionEvent = { kind: 'replace', contents: [result('c')], by: { kind: 'compaction' } };
    expect(grownBy([60, 60, 60], [compaction])).toBe(false);
    const reported = { promptTokens: 1, completionTokens: 1, totalTokens: 2 };
    const events = [1, 2, 3, 4].flatMap((at) => [add(result(`c${at}`)), answer(20_000 + at * 50, { reported })]);
    expect(areResultsShortened({ format: 'pi', events, skipped: [] }, tokensOf)).toBe(false);
  });

  test('of which an answer of several parts says the same twice are counted once', () => {
    const again = [answer(20_060), answer(20_060), answer(20_060)];
    const events = [add(result('a')), answer(20_000), add(result('b')), ...again];
    expect(areResultsShortened({ format: 'pi', events, skipped: [] }, tokensOf)).toBe(false);
  });

  test('that an agent records twice, as Gemini CLI does, were sent once', () => {
    const [one, two, three] = ['a', 'b', 'c'].map((id) => [add(result(id)), add(result(id))]);
    const events = [answer(9_000), ...one!, answer(9_000 + WHOLE), ...two!, answer(9_000 + 2 * WHOLE), ...three!];
    expect(
      areResultsShortened({ format: 'pi', events: [...events, answer(9_000 + 3 * WHOLE)], skipped: [] }, tokensOf),
    ).toBe(false);
  });
});

test.each(realSessions('claude-code', 'codex', 'pi', 'opencode', 'gemini', 'cline-roo'))(
  '%s ran behind no proxy of ours, and is not marked',
  (file) => {
    const { recorded } = readSession(fileBytes(file));
    expect(areResultsShortened(recorded, entryCounter(recorded.model ?? 'unknown'))).toBe(false);
  },
);
