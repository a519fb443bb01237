import { describe, expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../../src/durations.ts';
import { pingRequest } from '../../../src/proxy/warm/ping-request.ts';

const MARK = { cache_control: { type: 'ephemeral' } };
const BODY = {
  model: 'claude-opus-5-5',
  system: [{ type: 'text', text: 'Say "max_tokens": 7, {"stream": true} and \\"cache_control\\": é', ...MARK }],
  messages: [{ role: 'user', content: 'a' }],
  max_tokens: 32_000,
  stream: true,
  thinking: { type: 'adaptive' },
};
const HEADERS = ['X-Api-Key', 'sk-ant-api03-x', 'anthropic-beta', 'some-beta', 'content-length', '9'];

const made = (
  fields: object | string = {},
  { headers = HEADERS, url = 'https://api.anthropic.com/v1/messages' } = {},
) => {
  const text = typeof fields === 'string' ? fields : JSON.stringify({ ...BODY, ...fields });
  return pingRequest({ method: 'POST', target: new URL(url), headers, body: Buffer.from(text) });
};
const textOf = (ping: ReturnType<typeof made>): string =>
  typeof ping === 'string' ? ping : Buffer.from(ping.body).toString();

describe('a ping', () => {
  test('has every byte of its request but those of the answer', () => {
    const { stream: _, max_tokens: __, ...rest } = BODY;
    const spaced = `\n{ "max_tokens" : 32000 , "stream": true ,\n ${JSON.stringify(rest).slice(1)}`;
    expect(textOf(made(spaced))).toBe(`\n{ "max_tokens" : 0 , ${JSON.stringify(rest).slice(1)}`);
    const last = `${JSON.stringify(rest).slice(0, -1)}, "max_tokens":1,"stream":true }`;
    expect(textOf(made(last))).toBe(`${JSON.stringify(rest).slice(0, -1)}, "max_tokens":0 }`);
    const first = `{"stream":false,"max_tokens":1,${JSON.stringify(rest).slice(1)}`;
    expect(textOf(made(first))).toBe(`{"max_tokens":0,${JSON.stringify(rest).slice(1)}`);
    const without = `{"max_tokens":1,${JSON.stringify(rest).slice(1)}`;
    expect(textOf(made(without))).toBe(`{"max_tokens":0,${JSON.stringify(rest).slice(1)}`);
  });

  test('repeats the headers that are of the prompt, and the query', () => {
    const headers = [...HEADERS, 'Idempotency-Key', '1', 'X-Stainless-Retry-Count', '1', 'content-encoding', 'gzip'];
    const ping = made({}, { headers, url: 'https://api.anthropic.com/v1/messages?beta=true' });
    expect(ping).toMatchObject({
      headers: ['X-Api-Key', 'sk-ant-api03-x', 'anthropic-beta', 'some-beta'],
      target: new URL('https://api.anthropic.com/v1/messages?beta=true'),
    });
  });

  test('is due by the shortest lifetime that the marks ask for', () => {
    const hour = { cache_control: { type: 'ephemeral', ttl: '1h' } };
    expect(made()).toMatchObject({ lifetimeMs: 5 * MINUTE_MS });
    expect(made({ system: [{ type: 'text', text: 'a', ...hour }] })).toMatchObject({ lifetimeMs: HOUR_MS });
    expect(made({ system: [{ type: 'text', text: 'a', ...hour }], ...MARK })).toMatchObject({
      lifetimeMs: 5 * MINUTE_MS,
    });
  });
});

describe('none is made', () => {
  test.each<[string, object, string]>([
    ['with a budget of thinking', { thinking: { type: 'enabled', budget_tokens: 1024 } }, 'answer'],
    ['with a forced choice of a tool', { tool_choice: { type: 'any' } }, 'answer'],
    ['with structured output', { output_config: { effort: 'low', format: { type: 'json_schema' } } }, 'answer'],
    ['where an answer goes on', { messages: [{ role: 'assistant', content: 'a' }] }, 'answer'],
    ['with a container', { container: 'c' }, 'acts'],
    ['with servers of tools', { mcp_servers: [{ url: 'https://x' }] }, 'acts'],
    ['with a tool of the provider', { tools: [{ type: 'web_search_20250305', name: 'web_search' }] }, 'acts'],
    ['with a compaction', { context_management: { edits: [{ type: 'compact_20260112' }] } }, 'acts'],
    ['with edits that remove', { context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] } }, 'acts'],
    ['at a higher speed', { speed: 'fast' }, 'price'],
    ['with priority', { service_tier: 'priority' }, 'price'],
    ['with a summary on demand', { compaction: {} }, 'unknown'],
    ['with a field that is not known', { constructor: 1 }, 'unknown'],
    ['without marks', { system: 'a' }, 'unmarked'],
  ])('%s', (_, fields, reason) => {
    expect(made(fields)).toBe(reason);
  });

  test.each<[string, string, readonly string[], string]>([
    ['for another host', 'https://bedrock-runtime.us-east-1.amazonaws.com/v1/messages', HEADERS, 'elsewhere'],
    ['for a count', 'https://api.anthropic.com/v1/messages/count_tokens', HEADERS, 'elsewhere'],
    ['without TLS', 'http://api.anthropic.com/v1/messages', HEADERS, 'elsewhere'],
    [
      'with the login of a plan',
      'https://api.anthropic.com/v1/messages',
      ['Authorization', 'Bearer sk-ant-oat01-x'],
      'plan',
    ],
    [
      'with a beta of such a login',
      'https://api.anthropic.com/v1/messages',
      [...HEADERS, 'anthropic-beta', 'oauth-2025-04-20'],
      'plan',
    ],
    [
      'with a token of a federation',
      'https://api.anthropic.com/v1/messages',
      ['authorization', 'Bearer eyJ.e30.x'],
      'no-key',
    ],
    ['with another login', 'https://api.anthropic.com/v1/messages', ['Authorization', 'Bearer x'], 'no-key'],
    [
      'with a key and a login',
      'https://api.anthropic.com/v1/messages',
      [...HEADERS, 'authorization', 'Bearer x'],
      'no-key',
    ],
    ['without a key', 'https://api.anthropic.com/v1/messages', [], 'no-key'],
  ])('%s', (_, url, headers, reason) => {
    expect(made({}, { url, headers: [...headers] })).toBe(reason);
  });

  test.each([
    '',
    '[]',
    '{"model":1}',
    '{"max_tokens":1,"max_tokens":2,"messages":[]}',
    '{"messages":[],"max_tokens":1}',
  ])('of a body that is no request: %s', (text) => {
    expect(['unknown', 'answer']).toContain(made(text));
  });

  test('with a key that the SDK sends as a bearer', () => {
    expect(made({}, { headers: ['Authorization', 'Bearer sk-ant-api03-x'] })).toBeTypeOf('object');
  });

  test('that edits that only keep do not forbid', () => {
    const edits = [{ type: 'clear_thinking_20251015', keep: 'all' }];
    expect(
      made({ context_management: { edits }, tools: [{ name: 'Bash' }, { type: 'bash_20250124', name: 'bash' }] }),
    ).toBeTypeOf('object');
  });
});
