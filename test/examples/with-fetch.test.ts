import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { prunedClient } from '../../examples/with-fetch.ts';
import { resultTexts, ScriptedProvider } from '../adapters/scripted-provider.ts';
import { stillClock } from '../still-clock.ts';

stillClock();

test('a client of a few lines sends a repeated result once, and remembers it', async () => {
  const provider = new ScriptedProvider();
  const memory = mkdtempSync(path.join(tmpdir(), 'fetch-example-'));
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  const content = Array.from({ length: 160 }, (_, line) => `line ${line} of the file`).join('\n');
  const read = (id: string) => [
    {
      role: 'assistant' as const,
      tool_calls: [{ id, type: 'function' as const, function: { name: 'read', arguments: '{"path":"/a.ts"}' } }],
    },
    { role: 'tool' as const, tool_call_id: id, content },
  ];
  try {
    const client = prunedClient({ apiKey: 'k', baseURL: `${await provider.start()}/v1`, memory });
    await client.chat.completions.create({
      model: 'gpt-5',
      messages: [{ role: 'user', content: 'start' }, ...read('t1'), ...read('t2')],
      tools: [{ type: 'function', function: { name: 'read' } }],
    });
    const [sent] = provider.requests;
    expect(resultTexts('openai-chat', sent?.body)[1]).toMatch(/^⟦density: 160 lines/);
    expect(log.mock.calls.flat().join()).toMatch(/tokens saved now/);
    expect(readdirSync(memory)).toHaveLength(1);
  } finally {
    log.mockRestore();
    await provider.stop();
    rmSync(memory, { recursive: true });
  }
});
