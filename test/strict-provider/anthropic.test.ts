import { describe, expect, test } from 'vitest';
import type { Accepted, ProviderRequest, Said } from '../../src/strict-provider/contract.ts';
import { StrictProvider } from '../../src/strict-provider/strict-provider.ts';

const BETA = 'thinking-binding-controls-2026-08-01';
const MINUTE_MS = 60_000;
const user = (content: unknown): object => ({ role: 'user', content });
const call = (id: string): object => ({
  role: 'assistant',
  content: [{ type: 'tool_use', id, name: 'Read', input: {} }],
});
const result = (id: string, content = 'text'): object => user([{ type: 'tool_result', tool_use_id: id, content }]);
const long = (words: number, word = 'word'): string =>
  Array.from({ length: words }, (_, at) => `${word}${at}`).join(' ');

function request(
  messages: readonly unknown[],
  rest: Partial<ProviderRequest> & { body?: object } = {},
): ProviderRequest {
  const { body, ...others } = rest;
  return {
    api: 'anthropic-messages',
    ...others,
    body: { model: 'claude-sonnet-4-5', max_tokens: 100, messages, ...body },
  };
}

const errorOf = (one: ProviderRequest): string => {
  const outcome = new StrictProvider().receive(one, 0);
  return outcome.status === 200 ? 'accepted' : outcome.message;
};

describe('the Messages API refuses', () => {
  test.each<[string, readonly unknown[], string]>([
    [
      'a call without its result',
      [user('a'), call('t1'), user('b')],
      'messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: t1. Each `tool_use` block must have a corresponding `tool_result` block in the next message.',
    ],
    [
      'a result without its call',
      [user('a'), result('t1')],
      'messages.1.content.0: unexpected `tool_use_id` found in `tool_result` blocks: t1. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.',
    ],
    [
      'a result after text',
      [
        user('a'),
        call('t1'),
        user([
          { type: 'text', text: 'b' },
          { type: 'tool_result', tool_use_id: 't1', content: '' },
        ]),
      ],
      'messages.1: `tool_use` ids were found without',
    ],
    ['an empty message', [user('')], 'messages.0: all messages must have non-empty content'],
    ['no message', [], 'messages: at least one message is required'],
    [
      'an unknown signature',
      [
        user('a'),
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'x', signature: 'y' },
            { type: 'text', text: 'b' },
          ],
        },
        user('c'),
      ],
      'messages.1.content.0: Invalid `signature` in `thinking` block',
    ],
  ])('%s', (_, messages, message) => {
    expect(errorOf(request(messages))).toContain(message);
  });

  test('but not an empty message of the system, as Claude Code sends it after a compaction', () => {
    expect(errorOf(request([user('a'), { role: 'system', content: [] }, user('b')]))).toBe('accepted');
  });

  test('a fifth cache mark, a mark on thinking, and an hour after five minutes', () => {
    const marked = (ttl?: string): object => ({
      type: 'text',
      text: 'a',
      cache_control: { type: 'ephemeral', ...(ttl && { ttl }) },
    });
    expect(errorOf(request([user([1, 2, 3, 4, 5].map(() => marked()))]))).toBe(
      'A maximum of 4 blocks with cache_control may be provided. Found 5.',
    );
    expect(errorOf(request([user([marked(), marked('1h')])]))).toContain(
      "a ttl='1h' cache_control block must not come after a ttl='5m'",
    );
    const thinking = { type: 'thinking', thinking: 'x', signature: 'y', cache_control: { type: 'ephemeral' } };
    expect(errorOf(request([user('a'), { role: 'assistant', content: [thinking] }, user('b')]))).toBe(
      'messages.1.content.0.thinking.cache_control: Extra inputs are not permitted',
    );
  });

  test('a prompt over the window', () => {
    expect(errorOf(request([user(long(80_000))]))).toMatch(/^prompt is too long: \d+ tokens > 200000 maximum$/);
  });

  test('nothing of a request that keeps the rules, with a system message between messages', () => {
    expect(
      errorOf(
        request([
          user('a'),
          { role: 'system', content: 'b' },
          call('t1'),
          result('t1'),
          { role: 'system', content: 'c' },
        ]),
      ),
    ).toBe('accepted');
  });
});

describe('the cache of the Messages API', () => {
  const marked = (text: string, ttl?: string): object => ({
    type: 'text',
    text,
    cache_control: { type: 'ephemeral', ...(ttl && { ttl }) },
  });
  const tokensOf = (provider: StrictProvider, messages: readonly unknown[], atMs: number): Accepted['tokens'] => {
    const outcome = provider.receive(request(messages), atMs);
    if (outcome.status !== 200) throw new Error(outcome.message);
    return outcome.tokens;
  };

  test('reads what a mark wrote for five minutes, which each hit refreshes', () => {
    const provider = new StrictProvider();
    const messages = [user([marked(long(2000))])];
    const first = tokensOf(provider, messages, 0);
    expect(first).toMatchObject({ read: 0, uncached: 0 });
    expect(first.written).toBeGreaterThan(2000);
    expect(tokensOf(provider, messages, 4 * MINUTE_MS).read).toBe(first.written);
    expect(tokensOf(provider, messages, 8 * MINUTE_MS).read).toBe(first.written);
    expect(tokensOf(provider, messages, 14 * MINUTE_MS).read).toBe(0);
  });

  test('keeps a mark of an hour for an hour, and bills it apart', () => {
    const provider = new StrictProvider();
    const messages = [user([marked(long(2000), '1h')])];
    const first = tokensOf(provider, messages, 0);
    expect(first).toMatchObject({ written: 0, read: 0 });
    expect(tokensOf(provider, messages, 59 * MINUTE_MS).read).toBe(first.writtenForAnHour);
  });

  test('does not cache less than the least length, nor find a prefix more than 20 blocks before a mark', () => {
    expect(tokensOf(new StrictProvider(), [user([marked('short')])], 0)).toMatchObject({ written: 0, read: 0 });
    const readAfter = (between: number): number => {
      const provider = new StrictProvider();
      tokensOf(provider, [user([marked(long(2000))])], 0);
      const blocks = Array.from({ length: between }, (_, at) => ({ type: 'text', text: `block ${at}` }));
      return tokensOf(provider, [user([{ type: 'text', text: long(2000) }, ...blocks, marked('end')])], 0).read;
    };
    expect(readAfter(18)).toBeGreaterThan(2000);
    expect(readAfter(19)).toBe(0);
  });

  test('belongs to one account and one model', () => {
    const provider = new StrictProvider();
    const messages = [user([marked(long(2000))])];
    provider.receive(request(messages), 0);
    for (const other of [
      request(messages, { account: 'b' }),
      request(messages, { body: { model: 'claude-opus-5' } }),
    ]) {
      expect((provider.receive(other, 1) as Accepted).tokens.read).toBe(0);
    }
  });
});

describe('thinking is bound to what stands before it', () => {
  const MODEL = 'claude-opus-5-5';
  const thinks = (thinking: string, id: string): Said => ({
    thinking,
    calls: [{ id, name: 'Read', input: { path: 'a' } }],
  });
  /** Two answers with thinking, and the results of their calls. */
  function conversation(provider: StrictProvider, rest: Pick<ProviderRequest, 'account'> = {}): object[] {
    const messages: object[] = [user('start')];
    for (const id of ['t1', 't2']) {
      const outcome = provider.receive(
        request(messages, { body: { model: MODEL }, says: thinks(`think ${id}`, id), ...rest }),
        0,
      );
      if (outcome.status !== 200) throw new Error(outcome.message);
      messages.push(...(outcome.answer as object[]), result(id, `long result of ${id}`));
    }
    return messages;
  }

  test('a new account gets a 400 when an earlier result was shortened', () => {
    const provider = new StrictProvider();
    const messages = conversation(provider);
    expect(provider.receive(request(messages, { body: { model: MODEL } }), 1).status).toBe(200);
    messages[2] = result('t1', 'short');
    const outcome = provider.receive(request(messages, { body: { model: MODEL } }), 2);
    expect(outcome).toMatchObject({
      status: 400,
      message: `messages.3.content.0: Invalid \`signature\` in \`thinking\` block. The block is bound to a different conversation. Remove the block, or set \`thinking.block_binding.prefix_mismatch_behavior\` to "drop_block". That setting requires the \`${BETA}\` value in the \`anthropic-beta\` header.`,
    });
  });

  test('moved marks, formatting, the order of keys and the newest result do not count', () => {
    const provider = new StrictProvider();
    const messages = conversation(provider);
    messages[2] = user([
      { content: 'long result of t1', cache_control: { type: 'ephemeral' }, tool_use_id: 't1', type: 'tool_result' },
    ]);
    messages[4] = result('t2', 'short');
    expect(provider.receive(request(messages, { body: { model: MODEL } }), 1).status).toBe(200);
  });

  test('an old account loses the thinking silently, and is told with the beta', () => {
    const provider = new StrictProvider({ createdAt: () => Date.UTC(2026, 0, 1) });
    const rest = { account: 'old' };
    const messages = conversation(provider, rest);
    messages[2] = result('t1', 'short');
    const silent = provider.receive(request(messages, { body: { model: MODEL }, ...rest }), 1) as Accepted;
    expect(silent.dropped).toEqual([{ place: 'messages.3.content.0', reason: 'prefix_binding_mismatch' }]);
    expect(silent.body['input_transformations']).toBeUndefined();
    const told = provider.receive(request(messages, { body: { model: MODEL }, ...rest, betas: [BETA] }), 1) as Accepted;
    expect(told.body['input_transformations']).toHaveLength(1);
  });

  test('`drop_block` needs the beta, and drops the block and all later ones', () => {
    const provider = new StrictProvider();
    const messages = conversation(provider);
    messages[0] = user('other start');
    const body = {
      model: MODEL,
      thinking: { type: 'adaptive', block_binding: { prefix_mismatch_behavior: 'drop_block' } },
    };
    expect(provider.receive(request(messages, { body }), 1)).toMatchObject({
      message: 'thinking.block_binding: Extra inputs are not permitted',
    });
    expect((provider.receive(request(messages, { body, betas: [BETA] }), 1) as Accepted).dropped).toHaveLength(2);
  });

  test('thinking may be left out from the start, but not between other thinking', () => {
    const provider = new StrictProvider();
    const without = (message: object): object => ({
      ...message,
      content: (message as { content: { type: string }[] }).content.filter(({ type }) => type !== 'thinking'),
    });
    const messages = conversation(provider);
    expect(
      provider.receive(
        request(
          messages.map((one, at) => (at === 1 ? without(one) : one)),
          { body: { model: MODEL } },
        ),
        1,
      ).status,
    ).toBe(200);
    const third = provider.receive(
      request(messages, { body: { model: MODEL }, says: thinks('think t3', 't3') }),
      1,
    ) as Accepted;
    const all = [...messages, ...(third.answer as object[]), result('t3')];
    const outcome = provider.receive(
      request(
        all.map((one, at) => (at === 3 ? without(one) : one)),
        { body: { model: MODEL } },
      ),
      2,
    );
    expect(outcome).toMatchObject({
      status: 400,
      message: expect.stringContaining('that preceded this one when it was created is missing'),
    });
  });

  test('Opus 5 does not bind', () => {
    const provider = new StrictProvider();
    const messages: object[] = [user('start')];
    const body = { model: 'claude-opus-5' };
    const first = provider.receive(request(messages, { body, says: thinks('x', 't1') }), 0) as Accepted;
    expect(provider.receive(request([user('changed'), ...first.answer, result('t1')], { body }), 1).status).toBe(200);
  });
});
