import { describe, expect, test } from 'vitest';
import type { LiveApi } from '../../src/live/contract.ts';
import { createPruner } from '../../src/live/pruner.ts';

const DAY_MS = 86_400_000;
const lines = (name: string): string =>
  Array.from({ length: 200 }, (_, at) => `${at + 1}\t${name} line ${at + 1} with words enough to matter`).join('\n');
const HEADER = 'Script running with cell ID 7\nWall time 11.0 seconds\nOutput:\n';
const DONE = 'Script completed\nWall time 0.1 seconds\nOutput:\n';
const PICTURE = 'AAAA';

interface Wire {
  readonly key: string;
  readonly user: (text: string) => object;
  /** A command, and the list of its result, by texts and pictures. */
  readonly run: (id: string, command: string, parts: readonly (string | null)[]) => readonly object[];
  readonly result: (item: object) => unknown;
}

const script = (command: string): string =>
  `const r = await tools.exec_command(${JSON.stringify({ cmd: command })}); text(r.output);`;
const codexParts = (parts: readonly (string | null)[]): object[] =>
  parts.map((text) =>
    text === null
      ? { type: 'input_image', image_url: `data:image/png;base64,${PICTURE}` }
      : { type: 'input_text', text },
  );

const WIRES: Readonly<Record<string, Wire & { readonly api: LiveApi }>> = {
  'custom calls of Codex': {
    api: 'openai-responses',
    key: 'input',
    user: (text) => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] }),
    run: (id, command, parts) => [
      { type: 'custom_tool_call', call_id: id, name: 'exec', input: script(command), status: 'completed' },
      { type: 'custom_tool_call_output', call_id: id, output: codexParts(parts) },
    ],
    result: (item) => (item as { output: unknown }).output,
  },
  'functions of the Responses API': {
    api: 'openai-responses',
    key: 'input',
    user: (text) => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] }),
    run: (id, command, parts) => [
      { type: 'function_call', call_id: id, name: 'exec_command', arguments: JSON.stringify({ cmd: command }) },
      { type: 'function_call_output', call_id: id, output: codexParts(parts) },
    ],
    result: (item) => (item as { output: unknown }).output,
  },
  Messages: {
    api: 'anthropic-messages',
    key: 'messages',
    user: (text) => ({ role: 'user', content: text }),
    run: (id, command, parts) => [
      { role: 'assistant', content: [{ type: 'tool_use', id, name: 'Bash', input: { command } }] },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: id,
            content: parts.map((text) =>
              text === null
                ? { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PICTURE } }
                : { type: 'text', text },
            ),
          },
        ],
      },
    ],
    result: (message) => (message as { content: { content: unknown }[] }).content[0]!.content,
  },
  'Chat Completions': {
    api: 'openai-chat',
    key: 'messages',
    user: (text) => ({ role: 'user', content: text }),
    run: (id, command, parts) => [
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id, type: 'function', function: { name: 'bash', arguments: JSON.stringify({ command }) } }],
      },
      {
        role: 'tool',
        tool_call_id: id,
        content: parts.map((text) =>
          text === null
            ? { type: 'image_url', image_url: { url: `data:image/png;base64,${PICTURE}` } }
            : { type: 'text', text },
        ),
      },
    ],
    result: (message) => (message as { content: unknown }).content,
  },
  'Gemini, as the AI SDK writes it': {
    api: 'gemini-api',
    key: 'contents',
    user: (text) => ({ role: 'user', parts: [{ text }] }),
    run: (id, command, parts) => [
      { role: 'model', parts: [{ functionCall: { id, name: 'run_shell_command', args: { command } } }] },
      {
        role: 'user',
        parts: [
          {
            functionResponse: {
              id,
              name: 'run_shell_command',
              response: {
                name: 'run_shell_command',
                content: parts.map((text) =>
                  text === null ? { type: 'image', data: PICTURE } : { type: 'text', text },
                ),
              },
            },
          },
        ],
      },
    ],
    result: (content) =>
      (content as { parts: { functionResponse: { response: { content: unknown } } }[] }).parts[0]!.functionResponse
        .response.content,
  },
};

const MODELS: Readonly<Record<LiveApi, string>> = {
  'openai-responses': 'gpt-5.6-sol',
  'openai-chat': 'gpt-5.5',
  'anthropic-messages': 'claude-opus-5',
  'gemini-api': 'gemini-2.5-pro',
};

/** Sends a conversation step by step, the last one after the cache has expired. */
async function sent(
  { api, key, user }: Wire & { readonly api: LiveApi },
  runs: readonly (readonly object[])[],
  isBytes: boolean,
) {
  let now = 1e12;
  const pruner = createPruner({ api, now: () => now, workspaceRoot: '/r' });
  const list: object[] = [user('Go')];
  let last: { readonly list: readonly object[]; readonly changed: readonly { readonly callId: string }[] } | undefined;
  for (const [at, added] of [[], ...runs].entries()) {
    list.push(...added);
    now += at === runs.length ? 2 * DAY_MS : 1_000;
    const body = { model: MODELS[api], tools: [{ name: 'exec' }], [key]: list };
    const pruned = await pruner.prune({ body: isBytes ? Buffer.from(JSON.stringify(body)) : body });
    const read = pruned.body instanceof Uint8Array ? JSON.parse(Buffer.from(pruned.body).toString()) : pruned.body;
    last = { list: read[key], changed: pruned.report.changed };
    await pruner.observe(pruned.report, { status: 200 });
  }
  return last!;
}

const isPicture = (part: object): boolean => JSON.stringify(part).includes(PICTURE);
const textsOf = (parts: unknown): string[] =>
  (parts as { text?: string }[]).flatMap(({ text }) => (text === undefined ? [] : text));

describe.each(Object.entries(WIRES))('a result that is a list, of %s', (_, wire) => {
  describe.each([
    ['bytes', true],
    ['objects', false],
  ])('in %s', (_form, isBytes) => {
    test('is shortened text by text: lines that an earlier one shows, behind a header that is kept', async () => {
      const runs = [
        wire.run('a', 'cat f.ts', [HEADER, lines('F')]),
        wire.run('b', 'cat copy-of-f.ts', [HEADER, lines('F'), 'the end']),
      ];
      const { list } = await sent(wire, runs, isBytes);
      const before = wire.result(list[2]!) as object[];
      const after = wire.result(list[4]!) as object[];
      expect(textsOf(before)).toEqual([HEADER, lines('F')]);
      expect(textsOf(after)).toEqual([HEADER, expect.stringMatching(/^⟦density: 200 lines.*⟧$/), 'the end']);
    });

    test('keeps its pictures at their places', async () => {
      const runs = [
        wire.run('a', 'cat f.ts', [lines('F')]),
        wire.run('b', 'cat g.ts', [lines('G')]),
        wire.run('c', 'cat f.ts g.ts', ['first', lines('F'), null, 'then', lines('G'), null]),
      ];
      const { list } = await sent(wire, runs, isBytes);
      const after = wire.result(list[6]!) as object[];
      expect(after.map(isPicture)).toEqual([false, false, true, false, false, true]);
      const [first, ...rest] = textsOf(after);
      expect(first).toBe('first');
      expect(rest).toEqual([
        expect.stringMatching(/^⟦density: .*⟧$/),
        'then',
        expect.stringMatching(/^⟦density: .*⟧$/),
      ]);
    });

    test('is replaced by one text once it is stale', async () => {
      const runs = [
        wire.run('a', 'cat /r/f.ts', [DONE, lines('F')]),
        wire.run('b', 'cat /r/f.ts', [DONE, lines('F')]),
        wire.run('w', "cat > /r/f.ts <<'X'\nnew\nX", ['', 'ok']),
        wire.run('z', 'echo', ['done']),
      ];
      const { list, changed } = await sent(wire, runs, isBytes);
      expect(changed.map(({ callId }) => callId)).toEqual(['b']);
      const after = wire.result(list[4]!) as object[];
      expect(textsOf(after)).toEqual([expect.stringMatching(/^\[density: \w+ cat \/r\/f\.ts, removed\]$/)]);
    });
  });
});

test('a failed result keeps its first line, which says how it failed', async () => {
  const wire = WIRES['Messages']!;
  const failed = (id: string): readonly object[] => {
    const [call, result] = wire.run(id, `cat ${id}`, [`Exit code 1\n${lines('F')}`]) as [object, { content: object[] }];
    return [call, { ...result, content: result.content.map((block) => ({ ...block, is_error: true })) }];
  };
  const { list } = await sent(wire, [failed('a'), failed('b')], true);
  expect(textsOf(wire.result(list[4]!))).toEqual([expect.stringMatching(/^Exit code 1\n⟦density: 200 lines.*⟧$/)]);
});
