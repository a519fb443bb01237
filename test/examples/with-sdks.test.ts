import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { answer as aiSdk } from '../../examples/with-ai-sdk.ts';
import { answer as googleGenai } from '../../examples/with-google-genai.ts';
import { answer as langchain } from '../../examples/with-langchain.ts';
import { answer as langgraph } from '../../examples/with-langgraph.ts';
import { toSend } from '../../examples/with-messages.ts';
import { answer as openaiAgents } from '../../examples/with-openai-agents.ts';
import { Density } from '../../examples/with-opencode.ts';
import { roles } from '../../examples/with-pi.ts';
import type { ApiName } from '../../src/formats/api-path.ts';
import { resultTexts, ScriptedProvider } from '../adapters/scripted-provider.ts';
import { stillClock } from '../still-clock.ts';

stillClock();

const folder = mkdtempSync(path.join(tmpdir(), 'sdk-examples-'));
const file = path.join(folder, 'a.txt');
const TEXT = Array.from({ length: 160 }, (_, at) => `line ${at} of the file\n`).join('');
writeFileSync(file, TEXT);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The model reads the same file twice. */
const READS = Array.from({ length: 2 }, () => ({ name: 'read', input: { path: file } }));
const MARKER = /^⟦density: 161 lines as shown above by read .*a\.txt, from "line 0 of the file" #\w+⟧$/;

let provider: ScriptedProvider;
let base: string;
beforeEach(async () => {
  provider = new ScriptedProvider(READS);
  base = await provider.start();
  for (const name of ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GEMINI_API_KEY']) vi.stubEnv(name, 'k');
  vi.stubEnv('ANTHROPIC_BASE_URL', `${base}/v1`);
  vi.stubEnv('OPENAI_BASE_URL', `${base}/v1`);
  vi.stubEnv('GOOGLE_GEMINI_BASE_URL', base);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await provider.stop();
});

const AGENTS: Readonly<Record<string, { api: ApiName; answer: (prompt: string) => Promise<unknown>; says: unknown }>> =
  {
    'ai-sdk': { api: 'anthropic-messages', answer: aiSdk, says: 'Done.' },
    langchain: { api: 'openai-chat', answer: langchain, says: 'Done.' },
    langgraph: { api: 'openai-chat', answer: langgraph, says: 'Done.' },
    'openai-agents': { api: 'openai-responses', answer: openaiAgents, says: 'Done.' },
    'google-genai': { api: 'gemini-api', answer: googleGenai, says: 'Done.' },
    pi: {
      api: 'anthropic-messages',
      answer: (prompt) => roles(prompt, base),
      says: ['user', 'assistant', 'toolResult', 'assistant', 'toolResult', 'assistant'],
    },
  };

describe('an agent of a few lines', () => {
  test.each(Object.entries(AGENTS))('with-%s.ts sends a repeated result once', async (_, { api, answer, says }) => {
    expect(await answer('Read the file twice.')).toEqual(says);
    expect(provider.refusals).toEqual([]);
    const [whole, repeat] = resultTexts(api, provider.requests.at(-1)?.body);
    expect(whole).toBe(TEXT);
    expect(repeat).toMatch(MARKER);
  });

  test('with-opencode.ts prunes in place', async () => {
    const hooks = await Density({ directory: folder });
    const read = (callID: string) => ({
      type: 'tool',
      tool: 'read',
      callID,
      state: { status: 'completed', input: { filePath: file }, output: TEXT },
    });
    const info = { sessionID: 's', modelID: 'claude-haiku-4-5' };
    const messages = [
      { info: { ...info, role: 'user' }, parts: [{ type: 'text', text: 'Read the file twice.' }] },
      { info: { ...info, role: 'assistant' }, parts: [read('c1')] },
      { info: { ...info, role: 'assistant' }, parts: [read('c2')] },
    ];
    const before = structuredClone(messages);
    const output = { messages };
    const [first, second, third] = messages;
    await hooks['experimental.chat.messages.transform']({}, output);
    expect(output.messages).toBe(messages);
    expect([first, second, third]).toEqual(before);
    expect(messages.map((one) => JSON.stringify(one).includes('⟦density: '))).toEqual([false, false, true]);
  });

  test('with-messages.ts returns another list', async () => {
    const read = (id: string) => [
      {
        role: 'assistant',
        tool_calls: [{ id, type: 'function', function: { name: 'read', arguments: '{"path":"/a.ts"}' } }],
      },
      { role: 'tool', tool_call_id: id, content: TEXT },
    ];
    const messages = [{ role: 'user', content: 'Read it twice.' }, ...read('c1'), ...read('c2')];
    const before = structuredClone(messages);
    const sent = await toSend(messages, 'gpt-5');
    expect(messages).toEqual(before);
    expect(sent.slice(0, 4)).toEqual(messages.slice(0, 4));
    expect(String(sent[4]?.content)).toMatch(/^⟦density: 161 lines/);
  });

  test('has at most 25 lines', () => {
    const long = readdirSync('examples')
      .filter((name) => name.startsWith('with-'))
      .filter((name) => readFileSync(path.join('examples', name), 'utf8').trimEnd().split('\n').length > 25);
    expect(long).toEqual([]);
  });
});
