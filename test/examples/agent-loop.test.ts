import { createToolResponse, type IContent, type ToolCallBlock } from 'high-density';
import { expect, test } from 'vitest';
import { startConversation } from '../../examples/agent-loop.ts';

const call = (id: string, name: string, parameters: unknown): IContent => ({
  speaker: 'ai',
  blocks: [{ type: 'tool_call', id, name, parameters }],
});

test('an agent loop of a few lines sends what is pruned, counted and paired', async () => {
  const script = [
    call('1', 'read_file', { file_path: 'a.ts' }),
    call('2', 'write_file', { file_path: 'a.ts', content: 'new' }),
    { speaker: 'ai', blocks: [{ type: 'text', text: 'Done.' }] } satisfies IContent,
  ];
  const sent: (readonly IContent[])[] = [];
  const { say, history } = startConversation({
    model: 'gpt-4.1',
    workspaceRoot: '/project',
    askModel: async (entries) => {
      sent.push(entries);
      return script.shift() as IContent;
    },
    runTool: async ({ id, name }: ToolCallBlock) => createToolResponse(id, name, 'what the tool said'),
  });

  const answer = await say('Rewrite a.ts, please.');

  expect(answer.blocks).toEqual([{ type: 'text', text: 'Done.' }]);
  expect(sent.map((entries) => entries.map(({ speaker }) => speaker))).toEqual([
    ['human'],
    ['human', 'ai', 'tool'],
    ['human', 'ai', 'tool'],
  ]);
  expect(JSON.stringify(sent.at(-1))).not.toContain('read_file');
  expect(JSON.stringify(sent.at(-1))).toContain('Rewrite a.ts, please.');
  expect(history.getTotalTokens()).toBeGreaterThan(0);
  history.dispose();
});
