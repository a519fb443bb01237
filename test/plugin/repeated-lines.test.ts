import { readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { notedCalls } from '../../src/plugin/noted-calls.ts';
import { newOutput, stage } from './hook-stage.ts';
import { numbered, type RecordedSession } from './recorded-events.ts';

const LINES = Array.from({ length: 120 }, (_, at) => `const value${at} = ${at}; // an ordinary line, häuser`);
const TEXT = LINES.join('\n');
const MARKER =
  /^⟦density: (\d+) lines(?:, (\d+) to (\d+),)? as (shown|written) above by (.*), from "(.*)" #[0-9a-z]{1,7}; recall ([0-9a-f]{12})⟧$/;

/** The parts of a marker. */
function marker(text: unknown) {
  const [, count, first, last, how, label, start, hash] = MARKER.exec(String(text)) ?? [];
  const range = first === undefined ? undefined : [Number(first), Number(last)];
  return { count: Number(count), range, how, label, start, hash: hash ?? '' };
}

interface ShownFile {
  readonly content: string;
  readonly numLines: number;
  readonly startLine: number;
}
const fileOf = (answer: unknown): ShownFile | undefined => newOutput(answer)?.['file'] as ShownFile | undefined;

type Stage = ReturnType<typeof stage>;

/** A read of the whole file, which the model sees from then on. */
async function readBefore({ session, answer }: Stage, text = TEXT, id = 'toolu_1'): Promise<void> {
  session.line('p');
  expect(await answer(session.read(id, text))).toBeUndefined();
  session.called(id, numbered(text));
}

describe('a result whose lines the model still sees', () => {
  test('becomes one line in the shape of the tool, and its text is in the archive', async () => {
    const all = stage();
    await readBefore(all);
    const changed = await all.answer(all.session.read('toolu_2', TEXT));
    const { hash, ...said } = marker(fileOf(changed)?.content);
    expect(said).toEqual({
      count: 120,
      range: [1, 120],
      how: 'shown',
      label: 'Read /p/app/a.ts',
      start: 'const value0 = 0; // an…',
    });
    expect(newOutput(changed)).toEqual({
      type: 'text',
      file: { filePath: '/p/app/a.ts', content: fileOf(changed)?.content, numLines: 1, startLine: 1, totalLines: 120 },
    });
    expect((await all.archive.find(hash)).block).toMatchObject({ toolName: 'Read', result: numbered(TEXT) });
    expect(await all.archive.list()).toHaveLength(2);
  });

  test('is given whole if the same is asked for again soon after, and becomes one line again later', async () => {
    const all = stage();
    const { session, answer } = all;
    await readBefore(all);
    const again = async (id: string): Promise<ShownFile | undefined> => {
      const file = fileOf(await answer(session.read(id, TEXT)));
      session.called(id, numbered(file?.content ?? TEXT));
      return file;
    };
    expect(await again('toolu_2')).toBeDefined();
    expect(await again('toolu_3')).toBeUndefined();
    for (let at = 0; at < 4; at++) {
      const text = `${at}\n`.repeat(400);
      expect(await answer(session.bash(`toolu_b${at}`, text))).toBeUndefined();
      session.called(`toolu_b${at}`, text, { name: 'Bash', input: { command: `head ${at}` } });
    }
    expect(await again('toolu_4')).toBeDefined();
  });

  test.each([
    ['its first lines are new', ['a', 'b', ...LINES], { content: /^a\nb\n⟦.*⟧$/, startLine: 1, numLines: 3 }, [3, 122]],
    [
      'its last lines are new',
      [...LINES, 'a', 'b'],
      { content: /^⟦.*⟧\na\nb$/, startLine: 120, numLines: 3 },
      [1, 120],
    ],
    [
      'lines in the middle are new',
      LINES.toSpliced(60, 1, 'a'),
      { content: /^⟦.*⟧\na\n⟦.*⟧$/, startLine: 60, numLines: 3 },
      [1, 60],
    ],
  ])(
    'loses of a read the start and the end alone, so that all numbers are right: %s',
    async (_, lines, file, range) => {
      const all = stage();
      await readBefore(all);
      const changed = fileOf(await all.answer(all.session.read('toolu_2', lines.join('\n'))));
      expect(changed).toMatchObject({ ...file, content: expect.stringMatching(file.content) });
      expect(marker(changed?.content.split('\n').find((line) => line.startsWith('⟦'))).range).toEqual(range);
    },
  );

  test('stays in a read if they are in its middle', async () => {
    const all = stage();
    await readBefore(all);
    expect(await all.answer(all.session.read('toolu_2', ['a', ...LINES, 'b'].join('\n')))).toBeUndefined();
  });

  test('loses them anywhere in the output of a command, whatever tool showed them', async () => {
    const all = stage();
    await readBefore(all);
    const stdout = ['before', ...LINES.slice(20, 70), 'after'].join('\n');
    const changed = newOutput(await all.answer(all.session.bash('toolu_2', stdout, { stderr: 'late' })));
    const lines = String(changed?.['stdout']).split('\n');
    expect(lines).toEqual(['before', expect.stringMatching(MARKER), 'after', 'late']);
    expect(marker(lines[1])).toMatchObject({ count: 50, range: undefined, label: 'Read /p/app/a.ts' });
    expect((await all.archive.find(marker(lines[1]).hash)).block).toMatchObject({ result: `${stdout}\nlate` });
  });

  test('loses them in a search, in a tool of an MCP server, and where the agent wrote them', async () => {
    const { session, answer } = stage();
    const content = { file_path: '/p/app/a.ts', content: TEXT };
    session.line('p');
    const write = { tool_name: 'Write', tool_input: content, tool_response: { type: 'create' } };
    expect(await answer(session.read('toolu_1', '', write))).toBeUndefined();
    session.called('toolu_1', 'File created', { name: 'Write', input: content });
    const grep = { mode: 'content', numFiles: 1, filenames: [], content: TEXT, numLines: 120 };
    const found = newOutput(await answer(session.read('toolu_2', '', { tool_name: 'Grep', tool_response: grep })));
    expect(found).toMatchObject({ mode: 'content', content: expect.stringMatching(MARKER), numLines: 1 });
    expect(marker(found?.['content'])).toMatchObject({ how: 'written', label: 'Write /p/app/a.ts' });
    const mcp = { tool_name: 'mcp__docs__search', tool_response: [{ type: 'text', text: TEXT }] };
    expect(newOutput(await answer(session.read('toolu_3', '', mcp)))).toEqual([
      { type: 'text', text: expect.stringMatching(MARKER) },
    ]);
  });

  test('becomes one line in Codex if that saves a thousand tokens, and only if the person turned it on', async () => {
    const { session, answer } = stage();
    const asked: string[] = [];
    const isOnInCodex = (folder: string) => Promise.resolve(asked.push(folder) > 0);
    const inCodex = (id: string, text: string) => answer(session.codex(id, text), { isOnInCodex });
    session.calledByCodex('call_1', TEXT);
    expect(await inCodex('call_1', TEXT)).toBeUndefined();
    expect(asked).toEqual(['/p/app']);
    expect(await answer(session.codex('call_2', TEXT))).toBeUndefined();
    const changed = (await inCodex('call_2', TEXT)) as { reason: string };
    expect(changed).toEqual({ decision: 'block', reason: expect.stringMatching(MARKER) });
    expect(marker(changed.reason)).toMatchObject({ count: 120, label: 'exec_command cat a.ts' });
    expect(await inCodex('call_3', LINES.slice(0, 70).join('\n'))).toBeUndefined();
    session.write({ type: 'compacted', payload: { message: 'a summary' } });
    expect(await inCodex('call_4', TEXT)).toBeUndefined();
  });

  test('stays if it is short, differs, or its shape is not known', async () => {
    const { session, answer } = stage();
    const image = { type: 'image', file: { base64: TEXT } };
    const unchanged = { type: 'file_unchanged', file: { filePath: '/p/app/a.ts' } };
    const ours = { tool_name: 'mcp__plugin_density_density__recall' };
    const events: readonly ((id: string) => string)[] = [
      (id) => session.read(id, LINES.slice(0, 50).join('\n')),
      (id) => session.read(id, LINES.map((line) => `${line}${id}`).join('\n')),
      (id) => session.read(id, '', { tool_response: image }),
      (id) => session.read(id, '', { tool_response: unchanged }),
      (id) => session.bash(id, TEXT, { backgroundTaskId: 'b1' }),
      (id) => session.bash(id, TEXT, { persistedOutputPath: '/tmp/long.txt' }),
      (id) => session.read(id, '', { tool_name: 'WebFetch', tool_response: { result: TEXT } }),
      (id) => session.read(id, '', { ...ours, tool_response: [{ type: 'text', text: TEXT }] }),
    ];
    await readBefore({ ...stage(), session, answer });
    for (const event of events) expect(await answer(event('toolu_2'))).toBeUndefined();
  });

  test('never refers to itself, when the plugin is installed twice', async () => {
    const all = stage();
    await readBefore(all);
    expect(await all.answer(all.session.read('toolu_1', TEXT))).toBeUndefined();
  });

  test('stays under `density wrap`', async () => {
    const all = stage();
    await readBefore(all);
    expect(await all.answer(all.session.read('toolu_2', TEXT), { isWrapped: true })).toBeUndefined();
  });

  test('stays if the archive cannot keep it', async () => {
    const all = stage();
    await readBefore(all);
    writeFileSync(path.join(all.folder, 'archive'), 'no folder');
    await expect(all.answer(all.session.read('toolu_2', TEXT))).rejects.toThrow();
  });

  test('stays if the transcript shows another text than was noted, or none yet', async () => {
    const { session, answer } = stage();
    session.line('p');
    await answer(session.read('toolu_1', TEXT));
    expect(await answer(session.read('toolu_2', TEXT))).toBeUndefined();
    session.called('toolu_1', numbered(TEXT.replaceAll('häuser', 'haeuser')));
    expect(await answer(session.read('toolu_3', TEXT))).toBeUndefined();
  });

  test.each([
    [
      'a compaction',
      (session: RecordedSession) =>
        session.line('c', { type: 'system', subtype: 'compact_boundary', parentUuid: null }),
    ],
    [
      'a clearing of old results',
      (session: RecordedSession) => session.line('m', { type: 'system', subtype: 'microcompact_boundary' }),
    ],
    ['a rewind to before it', (session: RecordedSession) => session.line('r', { parentUuid: 'p' })],
  ])('stays after %s, and counts as the first one from then on', async (_, cut) => {
    const all = stage();
    await readBefore(all);
    cut(all.session);
    expect(await all.answer(all.session.read('toolu_2', TEXT))).toBeUndefined();
    all.session.called('toolu_2', numbered(TEXT));
    expect(fileOf(await all.answer(all.session.read('toolu_3', TEXT)))?.content).toMatch(MARKER);
  });

  test('is forgotten when the agent says that it compacted', async () => {
    const all = stage();
    await readBefore(all);
    const noted = path.join(all.folder, 'plugin', `${all.session.id}.lines`);
    expect(notedCalls(noted)).toMatchObject([{ id: 'toolu_1' }]);
    expect(statSync(noted).mode & 0o777).toBe(0o600);
    expect(await all.answer(all.session.start('compact'))).toBeUndefined();
    expect(readdirSync(path.dirname(noted))).toEqual([]);
  });

  test('belongs to its agent: a subagent does not see what the main conversation sees', async () => {
    const all = stage();
    const { folder, session, answer } = all;
    await readBefore(all);
    const agent = { agent_id: 'a1b2' };
    const own = path.join(folder, 'transcripts', session.id, 'subagents/agent-a1b2.jsonl');
    expect(await answer(session.read('toolu_2', TEXT, agent))).toBeUndefined();
    const use = { type: 'tool_use', id: 'toolu_2', name: 'Read', input: { file_path: '/p/app/a.ts' } };
    const result = { type: 'tool_result', tool_use_id: 'toolu_2', content: numbered(TEXT) };
    session.write({ uuid: 's', parentUuid: null, isSidechain: true, message: { content: [use] } }, own);
    session.write({ uuid: 't', parentUuid: 's', isSidechain: true, message: { content: [result] } }, own);
    const shown = fileOf(await answer(session.read('toolu_3', TEXT, agent)))?.content;
    expect(shown).toMatch(/^⟦density: \d+ lines.* as shown above by /);
  });

  test('is found in a transcript of many megabytes, whose last line is not complete', async () => {
    const all = stage();
    await readBefore(all);
    for (let at = 0; at < 40; at++) all.session.line(`l${at}`, { text: 'ä'.repeat(40_000 + at * 1_777) });
    writeFileSync(all.session.transcript, '{"uuid": "unfinis', { flag: 'a' });
    expect(fileOf(await all.answer(all.session.read('toolu_2', TEXT)))?.content).toMatch(MARKER);
  });
});
