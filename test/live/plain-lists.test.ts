import { describe, expect, test } from 'vitest';
import type { PruneReport } from '../../src/live/contract.ts';
import { createPruner } from '../../src/live/pruner.ts';

const TEXT = Array.from({ length: 160 }, (_, line) => `line ${line} of the file`).join('\n');
const MARKER = '⟦density: 160 lines as shown above by read /a.ts, from "line 0 of the file" #pj7si8⟧';
const ask = { role: 'user', content: 'Read it twice.' };

/** A file is read twice, in each form that plain lists have. */
const LISTS: Readonly<Record<string, readonly object[]>> = {
  'messages of Anthropic': [
    ask,
    ...['c1', 'c2'].flatMap((id) => [
      { role: 'assistant', content: [{ type: 'tool_use', id, name: 'read', input: { path: '/a.ts' } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: TEXT }] },
    ]),
  ],
  'chat messages of OpenAI': [
    ask,
    ...['c1', 'c2'].flatMap((id) => [
      {
        role: 'assistant',
        tool_calls: [{ id, type: 'function', function: { name: 'read', arguments: '{"path":"/a.ts"}' } }],
      },
      { role: 'tool', tool_call_id: id, content: TEXT },
    ]),
  ],
  'items of OpenAI responses': [
    ask,
    ...['c1', 'c2'].flatMap((id) => [
      { type: 'function_call', call_id: id, name: 'read', arguments: '{"path":"/a.ts"}' },
      { type: 'function_call_output', call_id: id, output: TEXT },
    ]),
  ],
  'contents of Gemini': [
    { role: 'user', parts: [{ text: 'Read it twice.' }] },
    ...['c1', 'c2'].flatMap((id) => [
      { role: 'model', parts: [{ functionCall: { id, name: 'read', args: { path: '/a.ts' } } }] },
      { role: 'user', parts: [{ functionResponse: { id, name: 'read', response: { output: TEXT } } }] },
    ]),
  ],
  'contents of Gemini, as the AI SDK writes them': [
    { role: 'user', parts: [{ text: 'Read it twice.' }] },
    ...['c1', 'c2'].flatMap((id) => [
      { role: 'model', parts: [{ functionCall: { id, name: 'read', args: { path: '/a.ts' } } }] },
      { role: 'user', parts: [{ functionResponse: { id, name: 'read', response: { name: 'read', content: TEXT } } }] },
    ]),
  ],
};

describe('a plain list', () => {
  test.each(Object.entries(LISTS))(
    'of %s is known by its shape, and its elements stay what they were',
    async (_, list) => {
      const before = structuredClone(list);
      const sent = await createPruner().pruneMessages(list);
      expect(list).toEqual(before);
      expect(sent.slice(0, 4).every((element, index) => element === list[index])).toBe(true);
      expect(JSON.stringify(sent[4])).toBe(
        JSON.stringify(list[4]).replace(JSON.stringify(TEXT), JSON.stringify(MARKER)),
      );
    },
  );

  test('with new but equal elements in each call is the same list', async () => {
    const pruner = createPruner();
    const list = LISTS['chat messages of OpenAI']!;
    const first = await pruner.pruneMessages(structuredClone(list));
    expect(await pruner.pruneMessages(structuredClone(list))).toEqual(first);
    expect(JSON.stringify(first)).toContain(JSON.stringify(MARKER));
  });

  test('without calls comes back as it is', async () => {
    expect(await createPruner().pruneMessages([ask])).toEqual([ask]);
  });

  test('is told in a report, with the tools that nobody knows', async () => {
    const reports: PruneReport[] = [];
    const options = { onReport: (report: PruneReport) => reports.push(report) };
    const calls = ['peek', 'todo_write'].flatMap((name) => [
      {
        role: 'assistant',
        tool_calls: [{ id: name, type: 'function', function: { name, arguments: '{"target":"/a.ts"}' } }],
      },
      { role: 'tool', tool_call_id: name, content: TEXT },
    ]);
    await createPruner(options).pruneMessages([ask, ...calls]);
    await createPruner({ ...options, tools: { peek: { role: 'read', pathKeys: ['target'] } } }).pruneMessages([
      ask,
      ...calls,
    ]);
    expect(reports.map(({ unknownTools }) => unknownTools)).toEqual([['peek'], []]);
  });

  test('with references to items of the server comes back as it is', async () => {
    const reports: PruneReport[] = [];
    const pruner = createPruner({ onReport: (report) => reports.push(report) });
    const list = [{ type: 'item_reference', id: 'rs_1' }, ...LISTS['items of OpenAI responses']!];
    expect(await pruner.pruneMessages(list)).toEqual(list);
    expect(reports.map(({ untouched }) => untouched)).toEqual(['history-elsewhere']);
  });
});

describe("one's own tools", () => {
  test('make what they read stale', async () => {
    let now = 0;
    const pruner = createPruner({
      tools: { peek: { role: 'read', pathKeys: ['target'] }, put: { role: 'write', pathKeys: ['target'] } },
      now: () => now,
    });
    const step = (id: string, name: string, content: string) => [
      {
        role: 'assistant',
        tool_calls: [{ id, type: 'function', function: { name, arguments: '{"target":"/a.ts","content":"x"}' } }],
      },
      { role: 'tool', tool_call_id: id, content },
    ];
    const list: object[] = [ask, ...step('c1', 'peek', TEXT.repeat(50)), ...step('c2', 'put', 'ok')];
    await pruner.pruneMessages(list, { model: 'gpt-5' });
    list.push(...Array.from({ length: 30 }, (_, at) => step(`d${at}`, 'put', 'ok')).flat());
    now = 25 * 60 * 60_000;
    const sent = await pruner.pruneMessages(list, { model: 'gpt-5' });
    expect(JSON.stringify(sent[2])).toMatch(/\[density: peek [^\]]*, removed\]/);
  });
});
