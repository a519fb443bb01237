import type { Message } from 'high-density/compact';
import { expect, test } from 'vitest';
import { say } from '../../examples/compact-loop.ts';
import { alternates, memoryWriter, readOf, scriptedClient } from '../compaction/fixtures.ts';

test('an agent loop that compacts never sends more than fits, and every request alternates and ends with the user (UC-001, UC-005)', async () => {
  const llmClient = scriptedClient('A summary.');
  const options = { contextTokenLimit: 400, llmClient, fileWriter: memoryWriter(), workDir: '/nowhere' };
  const sent: Message[][] = [];
  let left = 12;
  const agent = {
    async askModel(messages: readonly Message[]): Promise<Message> {
      sent.push([...messages]);
      return left-- > 0 ? readOf('src/a.ts')[0]! : { role: 'assistant', content: 'Done.' };
    },
    async runTools({ content }: Message): Promise<Message | undefined> {
      if (typeof content === 'string') return undefined;
      const [call] = content;
      if (call?.type !== 'tool_use') return undefined;
      return {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: call.id, content: 'const a = 1;\n'.repeat(40) }],
      };
    },
  };
  const system: Message = { role: 'system', content: 'You are a careful agent.' };

  const list = await say('Mend it, please.', { messages: [system], agent, options });

  expect(list.at(-1)).toEqual({ role: 'assistant', content: 'Done.' });
  expect(llmClient.prompts.length).toBeGreaterThan(2);
  for (const messages of sent) {
    expect(messages[0]).toEqual(system);
    expect(alternates(messages)).toBe(true);
    expect(messages.at(-1)?.role).toBe('user');
    expect(await llmClient.countTokens(messages, '')).toBeLessThan(400 * 0.92 + 20);
  }
  expect(llmClient.prompts[0]).toContain('Mend it, please.');
});
