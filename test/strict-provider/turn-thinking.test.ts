import { describe, expect, test } from 'vitest';
import type { Accepted, Refused } from '../../src/strict-provider/contract.ts';
import { StrictProvider } from '../../src/strict-provider/strict-provider.ts';

const user = (content: unknown): object => ({ role: 'user', content });
const result = (id: string): object => user([{ type: 'tool_result', tool_use_id: id, content: 'ok' }]);

interface Said {
  readonly role: string;
  readonly content: readonly { readonly type: string }[];
}

const bare = (message: object): object => {
  const { role, content } = message as Said;
  return { role, content: content.filter(({ type }) => type !== 'thinking') };
};

/** Two answers of one turn that think and call, and what the provider says to the list that `change` makes of them and their results. */
function played(model: string, change: (turn: object[]) => object[]): Accepted | Refused {
  const provider = new StrictProvider();
  const messages: object[] = [user('start')];
  for (const id of ['c1', 'c2']) {
    const says = { thinking: `about ${id}`, calls: [{ id, name: 'read', input: {} }] };
    const outcome = provider.receive({ api: 'anthropic-messages', body: { model, messages }, says }, 0) as Accepted;
    messages.push(...(outcome.answer as object[]), result(id));
  }
  return provider.receive({ api: 'anthropic-messages', body: { model, messages: change(messages) } }, 0);
}

describe('the thinking of a turn of tools', () => {
  const withoutFirst = (turn: object[]): object[] => turn.with(1, bare(turn[1]!));

  test('comes back complete', () => {
    expect(played('claude-opus-5', (turn) => turn).status).toBe(200);
    expect(played('claude-opus-5', withoutFirst)).toMatchObject({
      status: 400,
      message:
        'messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`. When `thinking` is enabled, a final `assistant` message must start with a thinking block',
    });
  });

  test('may be left out once a person speaks, not once results come with words', () => {
    const done = { role: 'assistant', content: 'Done.' };
    expect(played('claude-opus-5', (turn) => [...withoutFirst(turn), done, user('go on')]).status).toBe(200);
    const said = [
      { type: 'tool_result', tool_use_id: 'c2', content: 'ok' },
      { type: 'text', text: 'go on' },
    ];
    expect(played('claude-opus-5', (turn) => withoutFirst(turn).with(4, user(said))).status).toBe(400);
  });

  test('is not there, and not missed, where the request turns it off', () => {
    const provider = new StrictProvider();
    const thinking = { type: 'disabled' };
    const ask = (messages: object[]) => {
      const says = { thinking: 'unasked', calls: [{ id: 'c1', name: 'read', input: {} }] };
      return provider.receive(
        { api: 'anthropic-messages', body: { model: 'claude-opus-5', thinking, messages }, says },
        0,
      ) as Accepted;
    };
    const { answer } = ask([user('start')]);
    expect(answer).toEqual([bare((answer as object[])[0]!)]);
    expect(ask([user('start'), ...(answer as object[]), result('c1')]).status).toBe(200);
  });
});
