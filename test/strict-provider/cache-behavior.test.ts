import { describe, expect, test } from 'vitest';
import { RECORDED_LOSSES } from '../../src/strict-provider/cache-behavior.ts';
import type { Accepted, MeteredTokens } from '../../src/strict-provider/contract.ts';
import { StrictProvider } from '../../src/strict-provider/strict-provider.ts';

const MINUTE_MS = 60_000;
const MODEL = 'claude-opus-5-5';
const long = (name: string): string => Array.from({ length: 1500 }, (_, at) => `${name}${at}`).join(' ');
const marked = (text: string, ttl?: string): object => ({
  type: 'text',
  text,
  cache_control: { type: 'ephemeral', ...(ttl && { ttl }) },
});
const user = (content: unknown): object => ({ role: 'user', content });

const MESSAGES = [user([marked(long('message'))])];

function tokensOf(provider: StrictProvider, asked: object, atMs: number): MeteredTokens {
  const body = { model: MODEL, max_tokens: 100, messages: MESSAGES, ...asked };
  const outcome = provider.receive({ api: 'anthropic-messages', body }, atMs);
  if (outcome.status !== 200) throw new Error(outcome.message);
  return (outcome as Accepted).tokens;
}

describe('the lifetime of a cached prefix', () => {
  const ping = { max_tokens: 0 };

  test('counts from the start of the request that wrote or read it, also of a ping', () => {
    const provider = new StrictProvider();
    const { written } = tokensOf(provider, {}, 0);
    for (const minutes of [4, 8, 12]) {
      expect(tokensOf(provider, ping, minutes * MINUTE_MS)).toMatchObject({ read: written, written: 0, output: 0 });
    }
    expect(tokensOf(provider, {}, 16 * MINUTE_MS).read).toBe(written);
    expect(tokensOf(provider, {}, 21 * MINUTE_MS)).toMatchObject({ read: 0, written });
  });

  test('is not renewed by a read of an hour if it was written for five minutes', () => {
    const provider = new StrictProvider();
    const hour = { messages: [user([marked(long('message'), '1h')])] };
    const { written } = tokensOf(provider, {}, 0);
    expect(tokensOf(provider, hour, MINUTE_MS)).toMatchObject({ read: written, writtenForAnHour: 0 });
    expect(tokensOf(provider, hour, 7 * MINUTE_MS)).toMatchObject({ read: 0, writtenForAnHour: written });
    expect(tokensOf(provider, {}, 60 * MINUTE_MS).read).toBe(written);
    expect(tokensOf(provider, {}, 119 * MINUTE_MS).read).toBe(written);
  });

  test('can be short', () => {
    const provider = new StrictProvider({ lifetimeMs: 2000 });
    const hour = { messages: [user([marked(long('hour'), '1h')])] };
    const { written } = tokensOf(provider, {}, 0);
    const { writtenForAnHour } = tokensOf(provider, hour, 0);
    expect(tokensOf(provider, {}, 1999).read).toBe(written);
    expect(tokensOf(provider, {}, 3999).read).toBe(0);
    expect(tokensOf(provider, hour, 23_999).read).toBe(writtenForAnHour);
    expect(tokensOf(provider, hour, 48_000).read).toBe(0);
  });
});

describe('a parameter that is written into the prompt', () => {
  const tool = { name: 'Read', input_schema: {}, description: long('tool'), cache_control: { type: 'ephemeral' } };
  const prompt = { tools: [tool], system: [marked(long('system'))] };
  /** Which parts the second of two requests reads. */
  function readParts(first: object, second: object): string {
    const provider = new StrictProvider();
    const { written } = tokensOf(provider, { ...prompt, ...first }, 0);
    const { read } = tokensOf(provider, { ...prompt, ...second }, 1);
    const alone = tokensOf(new StrictProvider(), { ...prompt, messages: [user('a')] }, 0);
    const tools = tokensOf(new StrictProvider(), { tools: [tool], messages: [user('a')] }, 0).written;
    const names = new Map([
      [0, 'nothing'],
      [tools, 'tools'],
      [alone.written, 'tools and system'],
      [written, 'all'],
    ]);
    return names.get(read) ?? String(read);
  }

  const adaptive = { thinking: { type: 'adaptive' } };
  const budget = (budget_tokens: number): object => ({
    max_tokens: 9000,
    thinking: { type: 'enabled', budget_tokens },
  });
  const effort = (value: string): object => ({ output_config: { effort: value } });
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aaaa' } };
  const withImage = (place: object): object => ({ messages: [user([marked(long('message'))]), place] });

  test.each<[string, object, object, string]>([
    ['the type of thinking', adaptive, { thinking: { type: 'disabled' } }, 'tools and system'],
    ['the budget of thinking', budget(1024), budget(2048), 'tools and system'],
    ['effort', effort('low'), effort('high'), 'tools and system'],
    ['tool_choice', { tool_choice: { type: 'auto' } }, { tool_choice: { type: 'none' } }, 'tools and system'],
    ['the first picture', {}, withImage(user([image])), 'tools and system'],
    [
      'the first picture in a result',
      { messages: [user([marked(long('message'))])] },
      {
        messages: [
          user([marked(long('message'))]),
          { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'Read', input: {} }] },
          user([{ type: 'tool_result', tool_use_id: 't', content: [image] }]),
        ],
      },
      'tools and system',
    ],
    ['speed', {}, { speed: 'fast' }, 'tools'],
    ['the format of the answer', {}, { output_config: { format: { type: 'json_schema', schema: {} } } }, 'nothing'],
  ])('%s loses what stands behind it', (_, first, second, kept) => {
    expect(readParts(first, second)).toBe(kept);
  });

  test.each<[string, object, object]>([
    ['how thinking is shown', adaptive, { thinking: { type: 'adaptive', display: 'summarized' } }],
    ['a default that is named', {}, { ...adaptive, ...effort('medium'), tool_choice: { type: 'auto' } }],
    ['the length of the answer', { max_tokens: 50 }, { max_tokens: 0 }],
    ['a stream', { stream: true }, {}],
    ['a second picture', withImage(user([image])), withImage(user([image, image]))],
  ])('%s loses nothing', (_, first, second) => {
    expect(readParts(first, second)).toBe('all');
  });
});

describe('a provider of another kind', () => {
  const KEPT = 4 * MINUTE_MS;
  const afterTool = {
    messages: [
      user([marked(long('message'))]),
      { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'Read', input: {} }] },
      user([{ type: 'tool_result', tool_use_id: 't', content: 'ok' }]),
    ],
  };
  /** The share of requests, each within the lifetime of the one before, that read nothing. */
  function lostShare(provider: StrictProvider, asked: object): number {
    const COUNT = 2000;
    tokensOf(provider, asked, 0);
    let lost = 0;
    for (let at = 1; at <= COUNT; at++) if (tokensOf(provider, asked, at * KEPT).read === 0) lost++;
    return lost / COUNT;
  }

  test('never renews on a read', () => {
    const provider = new StrictProvider({ renewShare: 0 });
    const { written } = tokensOf(provider, {}, 0);
    expect(tokensOf(provider, {}, KEPT).read).toBe(written);
    expect(tokensOf(provider, {}, 2 * KEPT)).toMatchObject({ read: 0, written });
    expect(tokensOf(provider, {}, 3 * KEPT).read).toBe(written);
  });

  test('renews sometimes, always alike for one seed', () => {
    const reads = (seed: number): number[] => {
      const provider = new StrictProvider({ renewShare: 0.5, seed });
      return Array.from({ length: 40 }, (_, at) => tokensOf(provider, {}, at * KEPT).read);
    };
    expect(reads(1)).toEqual(reads(1));
    expect(reads(1)).not.toEqual(reads(2));
    // Of two reads in a row, the second one misses if the first one did not renew: a third of all in the long run.
    expect(lostShare(new StrictProvider({ renewShare: 0.5 }), {})).toBeCloseTo(1 / 3, 1);
  });

  test('loses as often as was recorded, after a tool and after a person', () => {
    expect(RECORDED_LOSSES).toEqual({ afterTool: 0.003, afterPerson: 0.138 });
    expect(lostShare(new StrictProvider({ losses: RECORDED_LOSSES }), {})).toBeCloseTo(0.138, 1);
    const after = lostShare(new StrictProvider({ losses: RECORDED_LOSSES }), afterTool);
    expect(after).toBeGreaterThan(0);
    expect(after).toBeLessThan(0.01);
    expect(lostShare(new StrictProvider({ losses: { afterTool: 1, afterPerson: 0 } }), {})).toBe(0);
  });

  test('bills a ping in full, which then renews nothing', () => {
    const provider = new StrictProvider({ billsPingsInFull: true });
    const { written } = tokensOf(provider, {}, 0);
    for (const max_tokens of [0, 1]) {
      expect(tokensOf(provider, { max_tokens }, KEPT)).toMatchObject({ read: 0, written: 0, uncached: written });
    }
    expect(tokensOf(provider, { max_tokens: 2 }, KEPT + 1).read).toBe(written);
    const late = new StrictProvider({ billsPingsInFull: true });
    tokensOf(late, {}, 0);
    tokensOf(late, { max_tokens: 0 }, KEPT);
    expect(tokensOf(late, {}, 2 * KEPT).read).toBe(0);
  });
});
