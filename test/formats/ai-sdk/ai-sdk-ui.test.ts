import { safeValidateUIMessages } from 'ai';
import { describe, expect, test } from 'vitest';
import type { IContent } from '../../../src/content/content.ts';
import { aiSdkUi } from '../../../src/formats/ai-sdk/ai-sdk-ui.ts';
import { decode, joinLines } from '../../../src/formats/lines/lines.ts';
import { historyOf, rewritten, spoken } from '../../contracts/format.ts';
import { aiSdkUiSample } from '../ai-sdk-ui-fixture.ts';
import { session, words } from '../words.ts';

const [chat = '', pending = ''] = aiSdkUiSample.texts;

interface UiMessage {
  readonly id: string;
  readonly role: string;
  readonly parts: readonly { readonly type: string }[];
}

const messagesOf = (text: string): UiMessage[] => {
  const document = JSON.parse(text) as UiMessage[] | { messages: UiMessage[] };
  return Array.isArray(document) ? document : document.messages;
};

async function fault(text: string): Promise<unknown> {
  const checked = await safeValidateUIMessages({ messages: messagesOf(text) });
  return checked.success ? undefined : checked.error;
}

const shorter = (history: readonly IContent[]): IContent[] =>
  history.map((entry) => ({
    ...entry,
    blocks: entry.blocks.map((block) => (block.type === 'tool_response' ? { ...block, result: 'gone' } : block)),
  }));

describe('UI messages of the AI SDK', () => {
  test('are read step by step, with the system prompt apart', () => {
    expect(session(aiSdkUi, chat).systemText).toBe('You help.');
    expect(session(aiSdkUi, pending).id).toBe('chat-1');
    expect(words(historyOf(aiSdkUi, chat))).toEqual([
      'human What do a.ts and b.ts export? ✗',
      'ai thinking + I read both. + read_file {"path":"a.ts"} + read_file {"path":"b.ts"}',
      'tool export const a = 1;\n',
      'tool export {};',
      'ai Now the build. + shell {"command":"make"}',
      'tool (Exit code 2) no rule',
      'ai Only `a`.',
      'human And this? + media',
    ]);
    expect(words(historyOf(aiSdkUi, pending))).toEqual([
      'human Delete a.ts and wait.',
      'ai delete {"path":"a.ts"} + list {}',
      'tool (Keep it.) ',
      'tool [object Object]',
      'ai Then I wait. + shell {"command":"sleep 1000"}',
    ]);
  });

  test('that are written satisfy the validation of the SDK', async () => {
    for (const text of aiSdkUiSample.texts) {
      const history = historyOf(aiSdkUi, text);
      const created = decode(joinLines(aiSdkUi.create?.(history, { id: 'new', startedAt: 0 }) ?? []));
      const withoutResults = history.filter(({ speaker }) => speaker !== 'tool');
      const written = [shorter(history), withoutResults].map((after) => rewritten(aiSdkUi, text, after));
      for (const one of [text, ...written, created]) expect(await fault(one)).toBeUndefined();
      expect(historyOf(aiSdkUi, written[1] ?? '').filter(({ speaker }) => speaker === 'tool')).toEqual([]);
    }
  });

  test('put steps that follow each other into one message, each message with its own id', () => {
    const created = decode(joinLines(aiSdkUi.create?.(historyOf(aiSdkUi, chat), { id: 'new', startedAt: 0 }) ?? []));
    const messages = messagesOf(created);
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(messages[1]?.parts.filter(({ type }) => type === 'step-start')).toHaveLength(3);
    expect(new Set(messages.map(({ id }) => id)).size).toBe(3);
  });

  test('are split if a new entry belongs between two steps', async () => {
    const summary = (said: string): IContent => ({ speaker: 'human', blocks: [{ type: 'text', text: said }] });
    const history = historyOf(aiSdkUi, chat);
    const after = [
      ...history.slice(0, 4),
      summary('One.'),
      ...history.slice(4, 6),
      summary('Two.'),
      ...history.slice(6),
    ];
    const written = rewritten(aiSdkUi, chat, after);
    expect(spoken(historyOf(aiSdkUi, written))).toEqual(spoken(after));
    expect(messagesOf(written).map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
    ]);
    expect(new Set(messagesOf(written).map(({ id }) => id)).size).toBe(8);
    expect(await fault(written)).toBeUndefined();
  });

  test('lose the reasoning of a step of which nothing else is left', () => {
    const history = historyOf(aiSdkUi, chat);
    const answer = history[1] as IContent;
    const idle = { ...answer, blocks: answer.blocks.filter(({ type }) => type === 'thinking') };
    const written = rewritten(aiSdkUi, chat, [history[0] as IContent, idle, ...history.slice(4)]);
    expect(written).not.toContain('Two files.');
    expect(words(historyOf(aiSdkUi, written))[1]).toMatch(/^ai Now the build/);
  });

  test('refuse a result whose call is missing: they share a part', () => {
    const history = historyOf(aiSdkUi, pending).filter((_, index) => index !== 1);
    expect(() => rewritten(aiSdkUi, pending, history)).toThrow(/SESSION_NOT_WRITABLE|kept or removed/);
  });
});
