import { expect, test } from 'vitest';
import { prunedPrompts, prunedSteps } from '../../src/adapters/ai-sdk.ts';
import { prunedModelCall } from '../../src/adapters/langchain.ts';
import { prunedInput } from '../../src/adapters/openai-agents.ts';
import { prunedTransform } from '../../src/adapters/opencode.ts';
import type { LiveApi } from '../../src/live/contract.ts';
import { createPruner } from '../../src/live/pruner.ts';
import { stillClock } from '../still-clock.ts';

stillClock();

const TEXT = Array.from({ length: 200 }, (_, at) => `${at + 1}\tB line ${at + 1} with words enough for a marker`).join(
  '\n',
);
const INPUT = { file_path: '/r/b.ts' };
const CODE = { type: 'code_execution_20260120', tool_id: 'srvtoolu_9' };

type Sends = (until: number) => Promise<readonly unknown[]>;

/** A list in which the first call, or only the second one, is by a program; and what is sent of its beginning. */
interface Way {
  /** The list; `callers`: of both calls, undefined for the model. */
  list(callers: readonly (object | undefined)[]): readonly object[];
  sends(list: readonly object[]): Sends;
  /** The lengths of the list when it is sent. */
  readonly lengths: readonly number[];
}

const live = (api: LiveApi, key: string, facts: object): Way['sends'] => {
  return (list) => {
    const pruner = createPruner({ api, archive: async () => {} });
    return async (until) => {
      const { body, report } = await pruner.prune({ body: { ...facts, [key]: list.slice(0, until) } });
      await pruner.observe(report, { status: 200 });
      return (body as unknown as Record<string, unknown[]>)[key]!;
    };
  };
};

const aiSdk = (callers: readonly (object | undefined)[], user: object): object[] => [
  user,
  ...callers.flatMap((caller, at) => {
    const options = caller && { providerOptions: { anthropic: { caller } } };
    const call = { toolCallId: `t${at}`, toolName: 'read_file' };
    return [
      { role: 'assistant', content: [{ type: 'tool-call', ...call, input: INPUT, ...options }] },
      { role: 'tool', content: [{ type: 'tool-result', ...call, output: { type: 'text', value: TEXT } }] },
    ];
  }),
];

const WAYS: Readonly<Record<string, Way>> = {
  Messages: {
    lengths: [1, 3, 5],
    list: (callers) => [
      { role: 'user', content: 'Compare.' },
      ...callers.flatMap((caller, at) => [
        { role: 'assistant', content: [{ type: 'tool_use', id: `t${at}`, name: 'read_file', input: INPUT, caller }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: `t${at}`, content: TEXT }] },
      ]),
    ],
    sends: live('anthropic-messages', 'messages', {
      model: 'claude-opus-4-6',
      max_tokens: 9_000,
      tools: [{ name: 'read_file', input_schema: { type: 'object' } }],
    }),
  },
  Responses: {
    lengths: [1, 3, 5],
    list: (callers) => [
      { type: 'message', role: 'user', content: 'Compare.' },
      ...callers.flatMap((caller, at) => [
        { type: 'function_call', call_id: `t${at}`, name: 'read_file', arguments: JSON.stringify(INPUT), caller },
        { type: 'function_call_output', call_id: `t${at}`, output: TEXT, caller },
      ]),
    ],
    sends: live('openai-responses', 'input', {
      model: 'gpt-5.6',
      tools: [{ type: 'function', name: 'read_file', parameters: {} }],
    }),
  },
  'prompts of the AI SDK': {
    lengths: [1, 3, 5],
    list: (callers) => aiSdk(callers, { role: 'user', content: [{ type: 'text', text: 'Compare.' }] }),
    sends(list) {
      const { transformParams } = prunedPrompts();
      const tools = [{ type: 'function', name: 'read_file', inputSchema: {} }];
      return async (until) => {
        const prompt = list.slice(0, until) as never[];
        return (await transformParams({ params: { prompt, tools }, model: { modelId: 'claude-opus-4-6' } })).prompt;
      };
    },
  },
  'steps of the AI SDK': {
    lengths: [1, 3, 5],
    list: (callers) => aiSdk(callers, { role: 'user', content: 'Compare.' }),
    sends(list) {
      const prepare = prunedSteps();
      return async (until) => {
        const messages = list.slice(0, until) as never[];
        return (await prepare({ messages, model: 'claude-opus-4-6' })).messages ?? messages;
      };
    },
  },
  'Agents SDK': {
    lengths: [1, 3, 5],
    list: (callers) => [
      { type: 'message', role: 'user', content: 'Compare.' },
      ...callers.flatMap((caller, at) => {
        const call = { callId: `t${at}`, name: 'read_file', status: 'completed', caller };
        return [
          { type: 'function_call', ...call, arguments: JSON.stringify(INPUT) },
          { type: 'function_call_result', ...call, output: { type: 'text', text: TEXT } },
        ];
      }),
    ],
    sends(list) {
      const filter = prunedInput();
      return async (until) => {
        const modelData = { input: list.slice(0, until), instructions: 'Code.' };
        return (await filter({ modelData, agent: { model: 'gpt-5.6' }, context: undefined })).input;
      };
    },
  },
  LangChain: {
    lengths: [1, 3, 5],
    list: (callers) => [
      { type: 'human', content: 'Compare.' },
      ...callers.flatMap((caller, at) => {
        const call = { id: `t${at}`, name: 'read_file' };
        const content = [{ type: 'tool_use', ...call, input: INPUT, caller }];
        return [
          { type: 'ai', content, tool_calls: [{ ...call, args: INPUT }] },
          { type: 'tool', tool_call_id: `t${at}`, content: TEXT },
        ];
      }),
    ],
    sends(list) {
      const call = prunedModelCall();
      return (until) => {
        const messages = list.slice(0, until) as never[];
        const request = { messages, model: { model: 'claude-opus-4-6' }, tools: [{ name: 'read_file' }] };
        return call(request, (sent) => sent.messages);
      };
    },
  },
  'a plugin of opencode': {
    lengths: [1, 2, 3],
    list: (callers) => [
      { info: { role: 'user', sessionID: 's' }, parts: [{ type: 'text', text: 'Compare.' }] },
      ...callers.map((caller, at) => {
        const state = { status: 'completed', input: INPUT, output: TEXT };
        const metadata = { anthropic: { caller } };
        const part = { type: 'tool', callID: `t${at}`, tool: 'read_file', state, ...(caller && { metadata }) };
        return { info: { role: 'assistant', sessionID: 's', modelID: 'claude-opus-4-6' }, parts: [part] };
      }),
    ],
    sends(list) {
      const transform = prunedTransform()['experimental.chat.messages.transform'];
      return async (until) => {
        const messages = list.slice(0, until) as never[];
        await transform({}, { messages });
        return messages;
      };
    },
  },
};

test.each(Object.entries(WAYS))('%s: a result for a program is sent as it is', async (_, { list, sends, lengths }) => {
  const given = list([undefined, CODE]);
  const send = sends(given);
  for (const until of lengths) expect(await send(until)).toEqual(given.slice(0, until));
});

test.each(Object.entries(WAYS))(
  '%s: a result for a program is not shown to the model',
  async (_, { list, sends, lengths }) => {
    const given = list([CODE, undefined]);
    const send = sends(given);
    for (const until of lengths) expect(await send(until)).toEqual(given.slice(0, until));
  },
);

test.each(Object.entries(WAYS))(
  '%s: a result that the model called for itself is shortened',
  async (_, { list, sends, lengths }) => {
    const given = list([undefined, { type: 'direct' }]);
    const send = sends(given);
    let last: readonly unknown[] = [];
    for (const until of lengths) last = await send(until);
    expect(JSON.stringify(last)).toContain('as shown above');
  },
);
