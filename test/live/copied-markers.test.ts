import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { refusalOf } from '../../src/guard/refusal.ts';
import type { LiveApi } from '../../src/live/contract.ts';
import { memoryStore } from '../../src/live/memory-store.ts';
import { createPruner } from '../../src/live/pruner.ts';
import { DISGUISES } from '../guard/markers.ts';
import { runs } from '../property-runs.ts';

const FILE = Array.from({ length: 160 }, (_, at) => `${at + 1}\talpha line number ${at + 1} of the file`).join('\n');
const MARKER = '⟦density: 160 lines, 1 to 160, as shown above by Read /a.ts, from "alpha line number 1 of …" #1u9xtt1⟧';
const NOTICE =
  /\ndensity: a line that this call wrote is a marker, .*\(160 lines, 1 to 160, as shown above by Read \/a\.ts\).*$/;

const user = (content: unknown) => ({ role: 'user', content });
const turn = (id: string, name: string, input: object, text: string) => [
  { role: 'assistant', content: [{ type: 'tool_use', id, name, input }] },
  user([{ type: 'tool_result', tool_use_id: id, content: text }]),
];
const read = (id: string) => turn(id, 'Read', { file_path: '/a.ts' }, FILE);
const write = (id: string, content: string, text = 'File written') =>
  turn(id, 'Write', { file_path: '/b.ts', content }, text);
const START = [user('start'), ...read('t1'), ...read('t2')];
const options = { api: 'anthropic-messages' as LiveApi, workspaceRoot: '/' };
const body = (messages: readonly object[]) => ({
  model: 'claude-sonnet-4-5',
  tools: [{ name: 'Read' }, { name: 'Bash' }],
  messages,
});
type Sent = { messages: readonly { content: readonly { content: string }[] }[] };
const textAt = (sent: object, at: number): string => (sent as Sent).messages.at(at)!.content[0]!.content;

/** What is sent of the last result, after the requests before it. */
async function lastResult(messages: readonly object[], more: Partial<Parameters<typeof createPruner>[0]> = {}) {
  const pruner = createPruner({ ...options, ...more });
  let last = '';
  for (let end = 3; end <= messages.length; end += 2)
    last = textAt((await pruner.prune({ body: body(messages.slice(0, end)) })).body, -1);
  return last;
}

describe('a call that wrote a marker', () => {
  test.each(Object.entries(DISGUISES))('is told so in its result: %s', async (_, disguise) => {
    const content = `// one\n${disguise(MARKER)}\n`;
    expect(await lastResult([...START, ...write('t3', content)])).toMatch(NOTICE);
    const command = `cat > b.ts <<'EOF'\n${content}EOF`;
    expect(await lastResult([...START, ...turn('t3', 'Bash', { command }, '')])).toMatch(
      /^density: a line that this call wrote is a marker/,
    );
  });

  test('is told once, and the line stays in all later requests, also after a restart', async () => {
    const store = memoryStore();
    const messages = [...START, ...write('t3', MARKER)];
    const later = [...messages, ...turn('t4', 'Bash', { command: 'ls' }, 'a b')];
    const pruner = createPruner({ ...options, store });
    await pruner.prune({ body: body(START.slice(0, 3)) });
    await pruner.prune({ body: body(START) });
    const { body: told, report } = await pruner.prune({ body: body(messages) });
    expect(report.changed).toMatchObject([{ kind: 'told', callId: 't3', what: 'Write /b.ts' }]);
    const { body: sent, report: next } = await pruner.prune({ body: body(later) });
    expect(next.changed).toEqual([]);
    expect((sent as Sent).messages.slice(0, messages.length)).toEqual((told as Sent).messages);
    const again = await createPruner({ ...options, store }).prune({ body: body(later) });
    expect(again.body).toEqual(sent);
  });

  test('is not told if it was refused, failed, or was made once more after a refusal', async () => {
    const refusal = refusalOf({ marker: MARKER, standsFor: 'lines' });
    expect(await lastResult([...START, ...write('t3', MARKER, refusal)])).toBe(refusal);
    const command = `cat > b.ts <<'EOF'\n${MARKER}\nEOF`;
    const [call, answer] = turn('t3', 'Bash', { command }, refusal) as [object, { content: object[] }];
    const failed = { ...answer, content: [{ ...answer.content[0], is_error: true }] };
    expect(await lastResult([...START, call, failed])).toBe(refusal);
    expect(await lastResult([...START, ...write('t3', MARKER, refusal), ...write('t4', MARKER)])).toBe('File written');
    expect(await lastResult([...START, ...write('t3', MARKER, refusal), ...write('t4', `${MARKER} `)])).toMatch(NOTICE);
  });

  test('is not told where the user or a file has the marker, it was never sent, or it is only looked for', async () => {
    const said = [user(`write ${MARKER}`), ...START.slice(1)];
    expect(await lastResult([...said, ...write('t3', MARKER)])).toBe('File written');
    const shown = turn('t3', 'Read', { file_path: '/c.md' }, `1\tone\n2\t${MARKER}`);
    expect(await lastResult([...START, ...shown, ...write('t4', MARKER)])).toBe('File written');
    expect(await lastResult([...START, ...write('t3', MARKER.replace('/a.ts', '/z.ts'))])).toBe('File written');
    const grep = turn('t3', 'Bash', { command: `grep -rn '${MARKER}' .` }, 'none');
    expect(await lastResult([...START, ...grep])).toBe('none');
  });

  test('is told again, where the tool shows what its call wrote', async () => {
    const shown = `Created b.ts:\n${MARKER}`;
    expect(await lastResult([...START, ...write('t3', MARKER, shown), ...write('t4', `x ${MARKER}`, shown)])).toMatch(
      NOTICE,
    );
  });

  test('is known before it runs', async () => {
    const pruner = createPruner(options);
    const call = { name: 'Write', parameters: { file_path: '/b.ts', content: MARKER } };
    expect(pruner.copiedMarker(call)).toBeUndefined();
    await pruner.prune({ body: body(START.slice(0, 3)) });
    await pruner.prune({ body: body(START) });
    expect(pruner.copiedMarker(call)).toMatchObject({ marker: MARKER });
    expect(pruner.copiedMarker(call, [`a\n${MARKER}`])).toBeUndefined();
    expect(pruner.copiedMarker({ ...call, name: 'Read' })).toBeUndefined();
  });

  test('is told in an answer that the provider of Codex reads', async () => {
    const pruner = createPruner({ ...options, api: 'openai-responses' });
    const item = (id: string, cmd: string, output: string) => [
      { type: 'function_call', call_id: id, name: 'exec_command', arguments: JSON.stringify({ cmd }) },
      { type: 'function_call_output', call_id: id, output },
    ];
    const lines = FILE.replace(/^\d+\t/gm, '');
    const input = [
      { type: 'message', role: 'user', content: 'start' },
      ...item('c1', 'cat a.ts', lines),
      ...item('c2', 'cat a.ts', lines),
    ];
    const send = async (list: readonly object[]) =>
      (await pruner.prune({ body: { model: 'gpt-5', tools: [{}], input: list } })).body.input;
    await send(input.slice(0, 3));
    const marker = String((await send(input)).at(-1)!['output' as never]);
    expect(marker).toMatch(/^⟦density: 160 lines/);
    const copied = item('c3', `cat > b.ts <<'EOF'\n${marker}\nEOF`, 'Chunk ID: ab\nOutput:\n');
    const sent = await send([...input, ...copied]);
    expect(String(sent.at(-1)!['output' as never])).toMatch(/density: a line that this call wrote is a marker/);
  });
});

test('whatever is written, a request without a marker in its calls is sent as before', () => {
  const text = fc.oneof(fc.string(), fc.constantFrom('density: x', '⟦density: 3 lines⟧', '[Result pruned]'));
  return fc.assert(
    fc.asyncProperty(text, async (content) => {
      expect(await lastResult([...START, ...write('t3', content)])).toBe('File written');
    }),
    { numRuns: runs(30) },
  );
});
