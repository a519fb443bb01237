import type Anthropic from '@anthropic-ai/sdk';
import { expect, test } from 'vitest';
import { prunedAnthropic } from '../../examples/with-anthropic.ts';
import { resultTexts, ScriptedProvider } from '../adapters/scripted-provider.ts';
import { stillClock } from '../still-clock.ts';

stillClock();

test('a client with the middleware sends a repeated result once', async () => {
  const provider = new ScriptedProvider();
  const content = Array.from({ length: 160 }, (_, line) => `line ${line} of the file`).join('\n');
  const read = (id: string): Anthropic.MessageParam[] => [
    { role: 'assistant', content: [{ type: 'tool_use', id, name: 'read', input: { path: '/a.ts' } }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] },
  ];
  try {
    const client = prunedAnthropic({ apiKey: 'k', baseURL: await provider.start() });
    await client.messages.create({
      model: 'claude-haiku-4-5',
      max_tokens: 10,
      messages: [{ role: 'user', content: 'start' }, ...read('t1'), ...read('t2')],
      tools: [{ name: 'read', input_schema: { type: 'object' } }],
    });
    const [sent] = provider.requests;
    const [first, second] = resultTexts('anthropic-messages', sent?.body);
    expect(first).toBe(content);
    expect(second).toMatch(/^⟦density: 160 lines/);
  } finally {
    await provider.stop();
  }
});
