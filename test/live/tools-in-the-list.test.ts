import { expect, test } from 'vitest';
import { createPruner } from '../../src/live/pruner.ts';

const lines = Array.from({ length: 300 }, (_, at) => `line ${at} of a file, with words enough to matter`).join('\n');
/** As Codex 0.171.0 sends them for gpt-5.6-sol: there is no field `tools`. */
const tools = (...names: readonly string[]): object => ({
  type: 'additional_tools',
  id: 'at_1',
  role: 'developer',
  tools: names.map((name) => ({ type: 'namespace', name: 'functions', tools: [{ type: 'custom', name }] })),
});
const run = (id: string): readonly object[] => [
  { type: 'custom_tool_call', call_id: id, name: 'exec', input: `text(await tools.exec_command({cmd: "cat ${id}"}))` },
  { type: 'custom_tool_call_output', call_id: id, output: [{ type: 'input_text', text: lines }] },
];

const LIST = [{ type: 'message', role: 'user', content: 'Go' }, ...run('a'), ...run('b')];

test.each([false, true])(
  'a request that has its tools in the first item of its list is a turn, and is shortened (bytes: %s)',
  async (isBytes) => {
    const body = { model: 'gpt-5.6-sol', input: [tools('exec'), ...LIST] };
    const { report } = await createPruner({ api: 'openai-responses' }).prune({
      body: isBytes ? Buffer.from(JSON.stringify(body)) : body,
    });
    expect(report.untouched).toBeUndefined();
    expect(report.changed.map(({ callId }) => callId)).toEqual(['b']);
  },
);

test('a request that has no tools anywhere is beside the conversation', async () => {
  const pruner = createPruner({ api: 'openai-responses' });
  for (const input of [LIST, [tools(), ...LIST]]) {
    const { report } = await pruner.prune({ body: { model: 'gpt-5.6-sol', input } });
    expect(report.untouched).toBe('side-request');
  }
});

test.each([
  ['the same beginning', [tools('exec'), ...LIST]],
  ['no tools in its list', LIST],
  ['instructions before them', [{ type: 'message', role: 'developer', content: 'Summarize.' }, ...LIST]],
])('a remote compaction gets the bytes of the turns: %s', async (_, items) => {
  const pruner = createPruner({ api: 'openai-responses' });
  const headers = { 'session-id': 's' };
  const input = [tools('exec'), ...LIST];
  const turn = await pruner.prune({ body: { model: 'gpt-5.6-sol', input }, headers });
  const results = turn.body.input.slice(-4);
  expect(results).not.toEqual(LIST.slice(-4));
  const asked = { type: 'message', role: 'user', content: 'Write a summary.' };
  const mark = { 'x-codex-turn-metadata': '{"request_kind":"compaction"}' };
  const body = { model: 'gpt-5.6-sol', input: [...items, asked] };
  for (const more of [{ headers: { ...headers, ...mark } }, { headers, isSummary: true }]) {
    const { body: sent, report } = await pruner.prune({ body, ...more });
    expect(sent.input.slice(-5)).toEqual([...results, asked]);
    expect(report).toMatchObject({ projected: 1, changed: [] });
  }
  const again = await pruner.prune({ body: { model: 'gpt-5.6-sol', input: [...input, asked] }, headers });
  expect(again.body.input.slice(0, -1)).toEqual(turn.body.input);
  expect(again.report.isBranch).toBeUndefined();
});
