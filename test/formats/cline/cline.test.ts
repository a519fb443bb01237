import { describe, expect, test } from 'vitest';
import type { ContentBlock, IContent } from '../../../src/content/content.ts';
import { fileAccess } from '../../../src/content/files/file-access.ts';
import { cline } from '../../../src/formats/cline/cline.ts';
import { liveHistory } from '../../../src/formats/contract.ts';
import { decode, linesOfText } from '../../../src/formats/lines/lines.ts';
import { historyOf, rewritten, unpaired } from '../../contracts/format.ts';
import { clineSample } from '../cline-fixture.ts';
import { session, steps, words } from '../words.ts';

const [native = '', xml = '', sdk = '', condensed = '', untimed = ''] = clineSample.texts;

const without = (history: readonly IContent[], toolName: string): IContent[] => {
  const ids = history.flatMap(({ blocks }) =>
    blocks.flatMap((block) => (block.type === 'tool_call' && block.name === toolName ? block.id : [])),
  );
  const isGone = (block: ContentBlock): boolean =>
    (block.type === 'tool_call' && ids.includes(block.id)) ||
    (block.type === 'tool_response' && ids.includes(block.callId));
  return history.flatMap((entry) => {
    const blocks = entry.blocks.filter((block) => !isGone(block));
    return blocks.length === 0 ? [] : [blocks.length === entry.blocks.length ? entry : { ...entry, blocks }];
  });
};

const content = (written: string, index: number): unknown =>
  (JSON.parse(written) as { content: unknown }[])[index]?.content;

describe('conversations of Cline, Roo Code and Kilo Code', () => {
  test('with native calls contain model and folder, and failures in the sentences of the agent', () => {
    const read = session(cline, native);
    expect([read.model, read.workspaceRoot]).toEqual(['model-x', '/repo/demo']);
    expect(words(liveHistory(read)).slice(1, 7)).toEqual([
      'ai thinking + I read both. + read_file {"path":"a.ts"} + read_file {"absolutePath":"/repo/demo/b.ts"}',
      'tool 1 | const a = 1;\n',
      'tool 1 | let b;',
      expect.stringMatching(/^human <environment_details>/),
      'ai apply_diff {"path":"a.ts","diff":"x"}',
      'tool (No match.) {"status":"error","message":"The tool execution failed","error":"No match."}',
    ]);
  });

  test('with calls as XML pair them with the results that name their tool; an unanswered one is words', () => {
    const history = historyOf(cline, xml);
    expect(unpaired(history)).toEqual([]);
    const said = words(history).flatMap((line) =>
      /^human <(?:environment|task)/.test(line) ? [] : line.replace(/ \+ <environment_details>[\s\S]*/, ''),
    );
    expect(said).toEqual([
      'ai I look.\n\n + read_file {"files":[{"path":"a.ts"}]}',
      'tool <files>\n<file><path>a.ts</path>\n<content lines="1-1">\n1 | a\n</content>\n</file>\n</files>',
      'ai write_to_file {"path":"a.ts","content":"</content> is no end\\nb"}',
      'tool The content was saved.',
      'human The user approved this operation and provided the following context:\n<feedback>\nMind the end!\n</feedback>\n',
      'ai No call: <read_file>\n<args>\n<file>\n<path>c.ts</path>\n</file>\n</args>\n</read_file>',
      'human [ERROR] You did not use a tool.',
      'ai execute_command {"command":"make\\n\\n[Response interrupted by a tool use result. Only one.]"}',
      'tool (Not allowed.) ',
      'ai list_files {"path":"."}',
      'tool a.ts',
      'ai <attempt_completion>\n<result>\nDone.\n</result>\n</attempt_completion>',
    ]);
    const times = history.map(({ metadata }) => metadata?.timestamp);
    expect(times.every((time) => typeof time === 'number')).toBe(true);
    expect(words(historyOf(cline, untimed))).toEqual(words(history));
  });

  test('of the Cline SDK name session and prompt; a record without success is a failure', () => {
    const read = session(cline, sdk);
    expect([read.id, read.model, read.systemText]).toEqual(['session-1', 'model-y', 'You edit files.']);
    const history = liveHistory(read);
    expect(history[1]?.metadata?.usage).toEqual({
      promptTokens: 100,
      completionTokens: 9,
      totalTokens: 109,
      cachedTokens: 4,
    });
    expect(history[4]?.blocks[0]).toMatchObject({
      type: 'tool_response',
      toolName: 'editor',
      error: 'No match for old_text',
    });
    const call = history[1]?.blocks[0];
    expect(call?.type === 'tool_call' && fileAccess(call, cline.vocabulary, '/').reads).toEqual([
      '/repo/a.ts',
      '/repo/b.ts',
    ]);
  });

  test('of the Cline SDK contain an attached file as the text that is sent; a shorter one is written as a text', () => {
    const [first, ...others] = historyOf(cline, sdk);
    const [asked, attached] = first?.blocks ?? [];
    expect([first?.speaker, asked, attached]).toEqual([
      'human',
      { type: 'text', text: 'Rename a.' },
      { type: 'text', text: '<file_content path="/repo/notes.txt">\nMind the end.\n\n</file_content>' },
    ]);
    const messagesOf = (blocks: readonly unknown[]): unknown[] => {
      const written = rewritten(cline, sdk, [{ ...first!, blocks: blocks as ContentBlock[] }, ...others]);
      return (JSON.parse(written) as { messages: { content: unknown[] }[] }).messages[0]!.content;
    };
    const short = { type: 'text', text: 'Removed.' };
    expect(messagesOf([asked, short])).toEqual([asked, short]);
    expect(messagesOf([asked])).toEqual([asked]);
    const file = { type: 'file', path: '/repo/notes.txt', content: 'Mind the end.\n' };
    expect(messagesOf([short, attached])).toEqual([short, file]);
  });

  test('omit what a summary or a truncation replaces, and show what nothing replaces any more', () => {
    expect(steps(session(cline, condensed).events)).toEqual([
      'human <task>\nOld\n</task>',
      'ai Old answer.',
      'human Shown again.',
      ['human Shown again.', 'human What happened: nothing.'],
      'ai Cut away.',
      ['human Shown again.', 'human What happened: nothing.', 'human [1 message was hidden]'],
      'ai Go on.',
    ]);
    expect(liveHistory(session(cline, condensed))[1]?.metadata?.isSummary).toBe(true);
  });

  test('lose a pair of XML call and result and nothing else', () => {
    const written = rewritten(cline, xml, without(historyOf(cline, xml), 'read_file'));
    expect(content(written, 1)).toEqual([{ type: 'text', text: 'I look.\n\n' }]);
    expect(content(written, 2)).toEqual([(content(xml, 2) as unknown[])[2]]);
    expect(content(written, 3)).toEqual(content(xml, 3));
  });

  test('keep user feedback in a result if the result is removed', () => {
    const written = rewritten(cline, xml, without(historyOf(cline, xml), 'write_to_file'));
    expect(content(written, 3)).toEqual([
      {
        type: 'text',
        text: 'The user approved this operation and provided the following context:\n<feedback>\nMind the end!\n</feedback>\n',
      },
      (content(xml, 4) as unknown[])[1],
    ]);
  });

  test('replace the old result by a shorter one, after the line that names its tool', () => {
    const shorter = historyOf(cline, xml).map((entry) => ({
      ...entry,
      blocks: entry.blocks.map((block) => (block.type === 'tool_response' ? { ...block, result: 'gone' } : block)),
    }));
    const written = rewritten(cline, xml, shorter);
    expect((content(written, 2) as unknown[])[1]).toEqual({ type: 'text', text: 'gone' });
    expect((content(written, 4) as { text: string }[])[0]?.text).toBe(
      "[write_to_file for 'a.ts'] Result:\nThe user approved this operation and provided the following context:\n<feedback>\nMind the end!\n</feedback>\ngone",
    );
    expect((content(written, 8) as { text: string }[])[1]?.text).toBe(
      'The tool execution failed with the following error:\n<error>\nNot allowed.\n</error>\ngone',
    );
  });

  test('of Roo Code hide what our summary replaces, so that the agent can show it again', () => {
    const summary: IContent = {
      speaker: 'human',
      blocks: [{ type: 'text', text: 'So far.' }],
      metadata: { isSummary: true },
    };
    const history = [summary, ...historyOf(cline, native).slice(-2)];
    const written = rewritten(cline, native, history);
    const messages = JSON.parse(written) as Record<string, unknown>[];
    const id = messages[0]?.['condenseId'];
    expect(messages[0]).toMatchObject({
      role: 'user',
      isSummary: true,
      condenseId: expect.stringMatching(/^condense-/),
    });
    expect(messages.map((message) => message['condenseParent'])).toEqual([
      undefined,
      id,
      id,
      id,
      id,
      id,
      undefined,
      undefined,
    ]);
    expect(words(historyOf(cline, written))).toEqual(words(history));
    expect(messages.length).toBe((JSON.parse(native) as unknown[]).length + 1);
  });

  test('of Cline, which has no hidden messages, lose what our summary replaces', () => {
    const summary: IContent = {
      speaker: 'human',
      blocks: [{ type: 'text', text: 'So far.' }],
      metadata: { isSummary: true },
    };
    const history = [summary, ...historyOf(cline, sdk).slice(-1)];
    const written = rewritten(cline, sdk, history);
    expect(written).not.toContain('condense');
    expect(words(historyOf(cline, written))).toEqual(words(history));
  });
});

describe('the messages for the screen beside a conversation', () => {
  const messages = (text: string): { role: string; content: { text?: string }[] }[] => JSON.parse(text);
  const twinOf = (indices: readonly number[], range?: readonly [number, number]): string =>
    JSON.stringify(
      indices.map((conversationHistoryIndex, index) => ({
        ts: index,
        type: 'say',
        conversationHistoryIndex,
        ...(range && index === 0 && { conversationHistoryDeletedRange: range }),
      })),
      null,
      2,
    );
  const write = (twin: string, text: string, history: readonly IContent[]): string =>
    decode(cline.companion!.write(new TextEncoder().encode(twin), { lines: linesOfText(text), history }));
  const indicesIn = (twin: string): unknown[] =>
    (JSON.parse(twin) as Record<string, unknown>[]).map((one) => one['conversationHistoryIndex']);

  test('refer to the same messages after some were removed and others added', () => {
    const before = messages(native);
    const all = before.map((_, index) => index);
    const history = historyOf(cline, native);
    const note: IContent = { speaker: 'human', blocks: [{ type: 'text', text: 'New.' }] };
    for (const after of [
      without(history, 'apply_diff'),
      [note, ...history],
      [...history.slice(0, 2), ...history.slice(-2)],
    ]) {
      const written = messages(rewritten(cline, native, after));
      const named = indicesIn(write(twinOf(all), native, after)) as number[];
      for (const [index, message] of before.entries()) {
        const isLeft = written.some((other) => JSON.stringify(other) === JSON.stringify(message));
        if (isLeft) expect(written[named[index]!]).toEqual(message);
      }
      expect(named).toEqual(named.toSorted((one, other) => one - other));
      expect(named.at(-1)).toBe(written.length - 1);
    }
  });

  test('refer to the same messages again after the change is undone', () => {
    const history = historyOf(cline, native);
    const all = messages(native).map((_, index) => index);
    const undone = (after: readonly IContent[]): unknown[] => {
      const twin = new TextEncoder().encode(write(twinOf(all), native, after));
      return indicesIn(
        decode(cline.companion!.write(twin, { lines: linesOfText(native), history: after, isUndone: true })),
      );
    };
    const note: IContent = { speaker: 'human', blocks: [{ type: 'text', text: 'New.' }] };
    expect(undone([note, ...history, note])).toEqual(all);
    // What referred to a removed message refers to the last one before it.
    const back = undone([history[0]!, note, ...history.slice(-2)]);
    expect([back[0], ...back.slice(-1)]).toEqual([0, all.at(-1)]);
    expect(back).toEqual(back.toSorted());
  });

  test('omit the same messages, or none if all of those were removed', () => {
    const history = historyOf(cline, native);
    const twin = twinOf([0], [1, 2]);
    const rangeIn = (text: string): unknown =>
      (JSON.parse(text) as Record<string, unknown>[])[0]?.['conversationHistoryDeletedRange'];
    const note: IContent = { speaker: 'human', blocks: [{ type: 'text', text: 'New.' }] };
    expect(rangeIn(write(twin, native, [note, ...history]))).toEqual([2, 3]);
    expect(rangeIn(write(twin, native, history.slice(-1)))).toBeUndefined();
  });

  test('are kept byte for byte if nothing moved, if they contain no positions, and if they are not a list', () => {
    const history = historyOf(cline, native);
    const gone = without(history, 'apply_diff');
    expect(write(twinOf([0, 1]), native, history)).toBe(twinOf([0, 1]));
    for (const twin of ['[ {"ts": 1, "say": "text"} ]', '{"a":1}', '[{"cut'])
      expect(write(twin, native, gone)).toBe(twin);
  });
});
