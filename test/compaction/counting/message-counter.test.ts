import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import type { Message, MessageLike } from '../../../src/compaction/contract.ts';
import { messageTokens } from '../../../src/compaction/counting/message-counter.ts';
import { createTokenizer } from '../../../src/tokens/index.ts';
import { conversation, recordingLogger } from '../fixtures.ts';

/** Counted exactly, so that expectations can be added up. */
const MODEL = 'gpt-5';
const tokenizer = createTokenizer('o200k');
const count = (text: string): number => tokenizer.count(text);

async function total(messages: readonly MessageLike[], model = MODEL): Promise<number> {
  return (await messageTokens(messages, model)).reduce((sum, tokens) => sum + tokens, 0);
}
const assistant = (...content: Exclude<Message['content'], string>): Message => ({ role: 'assistant', content });

describe('messageTokens (F-001)', () => {
  test('an empty list and empty contents count nothing', async () => {
    expect(await total([])).toBe(0);
    expect(await total([{ role: 'user', content: '' }, assistant(), assistant({ type: 'text', text: '' })])).toBe(0);
  });

  test('texts of every role count, as a string or as blocks', async () => {
    const text = 'The harbour office opens at seven.';
    expect(
      await total([
        { role: 'system', content: text },
        { role: 'user', content: text },
        assistant({ type: 'text', text }),
      ]),
    ).toBe(3 * count(text));
  });

  test('a tool call counts its name and its input as JSON', async () => {
    const input = { path: 'src/a.ts', range: [1, 20], deep: { all: true } };
    expect(await total([assistant({ type: 'tool_use', id: 'toolu_1', name: 'read_file', input })])).toBe(
      count('read_file') + count(JSON.stringify(input)),
    );
  });

  test('a result counts its string, or the blocks inside it, recursively', async () => {
    const result = (content: unknown): MessageLike => ({
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'a', content } as { type: string }],
    });
    expect(await total([result('one line')])).toBe(count('one line'));
    expect(await total([result(undefined)])).toBe(0);
    const nested = [
      { type: 'text', text: 'one' },
      { type: 'tool_result', content: [{ type: 'text', text: 'two' }] },
      { type: 'document', source: { type: 'content', content: [{ type: 'text', text: 'three' }] }, title: 'four' },
      { type: 'search_result', title: 'five', source: 'six', content: [{ type: 'text', text: 'seven' }] },
    ];
    const words = ['one', 'two', 'three', 'four', 'five', 'six', 'seven'];
    expect(await total([result(nested)])).toBe(words.reduce((sum, word) => sum + count(word), 0));
  });

  test('an image is priced by its size, never as text', async () => {
    const image: Message = {
      role: 'user',
      content: [
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo'.repeat(10_000) } },
      ],
    };
    expect(await total([image], 'claude-sonnet-4-5')).toBeLessThanOrEqual(1_600);
  });

  test('a block of an unknown type is skipped with one warning for its type', async () => {
    const logger = recordingLogger();
    const odd: MessageLike = {
      role: 'user',
      content: [{ type: 'hologram' }, { type: 'hologram' }, { type: 'text', text: 'seen' } as { type: string }],
    };
    expect(await messageTokens([odd], MODEL, { logger })).toEqual([count('seen')]);
    expect(logger.at('warn')).toEqual(['Blocks of the unknown type "hologram" are not counted.']);
  });

  test.each<[string, unknown]>([
    ['null', null],
    ['a number', 5],
    ['blocks that are no objects', [null, 'text', 3]],
    ['blocks without a type', [{}, { text: 'no type' }]],
    ['a text that is no text', [{ type: 'text', text: 5 }]],
  ])('a content of %s counts nothing and breaks nothing', async (_, content) => {
    const message: Record<string, unknown> = { role: 'user', content };
    expect(await total([message as { role: 'user'; content: string }])).toBe(0);
  });

  test('a circular input is counted once around and breaks nothing', async () => {
    const input: Record<string, unknown> = { word: 'turn' };
    input['self'] = input;
    expect(await total([assistant({ type: 'tool_use', id: 'a', name: 'f', input })])).toBeGreaterThan(3);
  });

  test('a message of 100,000 tokens is nothing special', async () => {
    const text = 'word '.repeat(100_000);
    expect(await total([{ role: 'user', content: text }])).toBe(count(text));
  });

  test('the model decides the tokenizer', async () => {
    const messages = conversation('a.ts');
    expect(await total(messages, 'claude-haiku-4-5')).toBeGreaterThan(await total(messages, 'gpt-5'));
  });

  test('a message that is changed in place is counted again', async () => {
    const input = { path: 'a.ts' };
    const call = { type: 'tool_use' as const, id: 'a', name: 'read_file', input };
    const message = assistant({ type: 'text', text: 'Looking.' }, call);
    const before = await total([message]);
    input.path = 'a/much/longer/path/than/before.ts';
    const longer = await total([message]);
    expect(longer).toBeGreaterThan(before);
    (message.content as unknown[]).pop();
    expect(await total([message])).toBe(count('Looking.'));
    message.content = 'Said.';
    expect(await total([message])).toBe(count('Said.'));
  });

  test('counting again, in any order, gives the same for generated messages', async () => {
    const block = fc.oneof(
      fc.record({ type: fc.constant('text' as const), text: fc.string() }),
      fc.record({
        type: fc.constant('tool_use' as const),
        id: fc.string(),
        name: fc.string(),
        input: fc.jsonValue() as fc.Arbitrary<unknown>,
      }),
      fc.record({ type: fc.constant('tool_result' as const), tool_use_id: fc.string(), content: fc.string() }),
    );
    const message = fc.record({ role: fc.constant('user' as const), content: fc.array(block) });
    await fc.assert(
      fc.asyncProperty(fc.array(message), async (messages) => {
        const first = await messageTokens(messages, MODEL);
        expect(await messageTokens(messages, MODEL)).toEqual(first);
        expect(await messageTokens(structuredClone(messages), MODEL)).toEqual(first);
        expect(await messageTokens(messages.toReversed(), MODEL)).toEqual(first.toReversed());
      }),
    );
  });

  test('the event loop turns while much is counted', async () => {
    const messages = Array.from({ length: 40 }, (_, index): Message => {
      return { role: 'user', content: `${index} ${'const value = compute(index);\n'.repeat(8_000)}` };
    });
    // Each reading of the clock is a millisecond later: a slice is over after a few of them.
    let nowMs = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => nowMs++);
    let turns = 0;
    let isDone = false;
    const countTurn = (): void => {
      turns++;
      if (!isDone) setImmediate(countTurn);
    };
    setImmediate(countTurn);
    await messageTokens(messages, MODEL);
    isDone = true;
    vi.restoreAllMocks();
    expect(turns).toBeGreaterThan(3);
  });
});
