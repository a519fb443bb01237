import { describe, expect, test } from 'vitest';
import type { LiveApi } from '../../src/live/contract.ts';
import { createPruner } from '../../src/live/pruner.ts';

const PASSED = `${Array.from({ length: 60 }, (_, at) => `✓ test ${at} of run 1 passes well and long enough`).join('\n')}\nTests: 60 passed`;
const COMMAND = 'full text: density show ';

const LISTS: Readonly<Record<LiveApi, readonly object[]>> = {
  'anthropic-messages': [
    { role: 'user', content: 'start' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'Bash', input: { command: 'npm test' } }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: PASSED }] },
  ],
  'openai-chat': [
    { role: 'user', content: 'start' },
    {
      role: 'assistant',
      tool_calls: [{ id: 't', type: 'function', function: { name: 'bash', arguments: '{"command":"npm test"}' } }],
    },
    { role: 'tool', tool_call_id: 't', content: PASSED },
  ],
  'openai-responses': [
    { role: 'user', content: 'start' },
    { type: 'function_call', call_id: 't', name: 'shell', arguments: '{"command":["bash","-lc","npm test"]}' },
    { type: 'function_call_output', call_id: 't', output: PASSED },
  ],
  'gemini-api': [
    { role: 'user', parts: [{ text: 'start' }] },
    { role: 'model', parts: [{ functionCall: { name: 'run_shell_command', args: { command: 'npm test' } } }] },
    { role: 'user', parts: [{ functionResponse: { name: 'run_shell_command', response: { output: PASSED } } }] },
  ],
};
const KEYS: Readonly<Record<LiveApi, string>> = {
  'anthropic-messages': 'messages',
  'openai-chat': 'messages',
  'openai-responses': 'input',
  'gemini-api': 'contents',
};

const start = (api: LiveApi) => createPruner({ api, archive: async () => {} });
const bytesOf = (body: object): Buffer => Buffer.from(JSON.stringify(body));

/** What is sent for a first request with these tools. */
async function sent(api: LiveApi, tools: unknown): Promise<string> {
  const { body } = await start(api).prune({
    body: bytesOf({ model: 'claude-sonnet-4-5', tools, [KEYS[api]]: LISTS[api] }),
    conversation: 'c',
  });
  return Buffer.from(body).toString();
}

const long = 'What the tool does. '.repeat(2_000);

describe('a marker', () => {
  test.each<[LiveApi, string, unknown]>([
    ['anthropic-messages', 'a shell', [{ name: 'Read' }, { name: 'Bash', description: long }]],
    ['anthropic-messages', 'our recall tool', [{ name: 'Read' }, { name: 'mcp__plugin_density_density__recall' }]],
    ['anthropic-messages', 'a hosted shell', [{ type: 'bash_20250124', name: 'bash' }]],
    ['openai-chat', 'a shell', [{ type: 'function', function: { name: 'bash' } }]],
    ['openai-responses', 'a hosted shell', [{ type: 'local_shell' }]],
    ['openai-responses', 'code that runs commands', [{ type: 'custom', name: 'exec' }]],
    ['gemini-api', 'a shell', [{ functionDeclarations: [{ name: 'run_shell_command' }] }]],
  ])('says how to get the text where a request of %s has %s', async (api, _, tools) => {
    expect(await sent(api, tools)).toContain(COMMAND);
  });

  test.each<[LiveApi, unknown]>([
    ['anthropic-messages', [{ name: 'Read', description: long }, { name: 'Grep' }, { name: 'mcp__memory__recall' }]],
    ['openai-chat', [{ type: 'function', function: { name: 'read', description: 'as bash does' } }]],
    ['openai-responses', [{ type: 'function', name: 'read_file' }, { type: 'web_search' }]],
    ['gemini-api', [{ functionDeclarations: [{ name: 'read_file' }] }]],
  ])('names no command where a request of %s has no tool for it', async (api, tools) => {
    const text = await sent(api, tools);
    expect(text).toContain('⟦density: 60 lines of tests that passed left out⟧');
    expect(text).not.toContain(COMMAND);
  });

  test('names a command where the request names no tools, as for a plain list, and a call ran one', async () => {
    expect(await sent('anthropic-messages', [{}])).toContain(COMMAND);
  });

  test('stays as it was sent first, whatever tools later requests have', async () => {
    const pruner = start('anthropic-messages');
    const ask = async (tools: object[], list: readonly object[]): Promise<string> => {
      const body = bytesOf({ model: 'claude-sonnet-4-5', tools, messages: list });
      return Buffer.from((await pruner.prune({ body, conversation: 'c' })).body).toString();
    };
    const list = LISTS['anthropic-messages'];
    const first = await ask([{ name: 'Read' }], list);
    const form = /⟦density: [^⟧]*⟧/.exec(first)![0];
    expect(form).not.toContain(COMMAND);
    const more = [...list, { role: 'assistant', content: 'done' }, { role: 'user', content: 'go on' }];
    expect(await ask([{ name: 'Read' }, { name: 'Bash' }], more)).toContain(form);
  });
});
