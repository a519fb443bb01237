import { describe, expect, test } from 'vitest';
import type { IContent } from '../../src/content/content.ts';
import type { SessionEvent } from '../../src/content/session-event.ts';
import { recordedCalls } from '../../src/lab/recorded-bill.ts';
import { reportedConstantTokens } from '../../src/sessions/constant-tokens.ts';
import { withPossibleUsage } from '../../src/sessions/possible-usage.ts';
import { ai, human } from '../strategies/conversation.ts';

const add = (content: IContent): SessionEvent => ({ kind: 'add', content });
const answered = (promptTokens: number): IContent => ({
  ...ai('done'),
  metadata: { model: 'm', usage: { promptTokens, completionTokens: 5, totalTokens: promptTokens + 5 } },
});
/** Each entry of a person has 30,000 tokens by our count, and each answer 10. */
const tokensOf = ({ speaker }: IContent): number => (speaker === 'human' ? 30_000 : 10);
const sessionOf = (...events: readonly SessionEvent[]) => ({ format: 'claude-code', events, skipped: [] });

describe('usage that cannot be', () => {
  test('is not in a session any more, and is told with both counts', () => {
    const session = sessionOf(
      add(human('a')),
      add(answered(100)),
      add(human('b')),
      add(answered(70_000)),
      add(human('c')),
      add(answered(9_000_000)),
    );
    const { session: possible, contradicted } = withPossibleUsage(session, tokensOf);
    const unknown = { model: 'm', atMs: undefined };
    expect(contradicted).toEqual([
      { call: 1, reportedTokens: 100, countedTokens: 30_000, ...unknown },
      { call: 3, reportedTokens: 9_000_000, countedTokens: 90_020, ...unknown },
    ]);
    expect(recordedCalls(session)).toHaveLength(3);
    expect(recordedCalls(possible).map(({ usage }) => usage.promptTokens)).toEqual([70_000]);
    expect(possible.events.map((event) => event.kind === 'add' && event.content.blocks)).toEqual(
      session.events.map((event) => event.kind === 'add' && event.content.blocks),
    );
  });

  test('is compared with what a rebuilt context has', () => {
    const rebuilt: SessionEvent = { kind: 'replace', contents: [human('summary')], by: { kind: 'compaction' } };
    const events = [...Array.from({ length: 30 }, () => add(human('a'))), add(answered(900_000)), rebuilt];
    expect(withPossibleUsage(sessionOf(...events, add(answered(1_600))), tokensOf).contradicted).toEqual([]);
  });

  test('of a copied call is told where the call was made', () => {
    const session = { ...sessionOf(add(human('a')), add(answered(100))), copied: [[0, 2]] as const };
    const { session: possible, contradicted } = withPossibleUsage(session, tokensOf);
    expect(contradicted).toEqual([]);
    expect(recordedCalls(possible)).toEqual([]);
  });

  test('changes no session that has none', () => {
    const session = sessionOf(add(human('a')), add(answered(40_000)));
    expect(withPossibleUsage(session, tokensOf).session).toBe(session);
  });

  test('says nothing about system prompt and tools', () => {
    const rebuilt: SessionEvent = { kind: 'replace', contents: [human('summary')], by: { kind: 'compaction' } };
    const events = [add(human('a')), add(answered(50_000)), rebuilt, add(answered(100))];
    expect(reportedConstantTokens(sessionOf(...events), tokensOf)).toBe(20_000);
    expect(reportedConstantTokens(sessionOf(add(human('a')), add(answered(100))), tokensOf)).toBeUndefined();
  });
});
