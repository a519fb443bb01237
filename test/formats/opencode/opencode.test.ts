import { describe, expect, test } from 'vitest';
import type { ContentBlock, IContent } from '../../../src/content/content.ts';
import { CLEARED_RESULT, PRUNED_RESULT } from '../../../src/content/pruned-result.ts';
import { liveHistory } from '../../../src/formats/contract.ts';
import { decode, joinLines } from '../../../src/formats/lines/lines.ts';
import { opencode } from '../../../src/formats/opencode/opencode.ts';
import { getCompressionStrategy } from '../../../src/strategies/index.ts';
import { historyOf, rewritten } from '../../contracts/format.ts';
import { answered, asked, done, info, opencodeSample, text, tool } from '../opencode-fixture.ts';
import { session, steps, words } from '../words.ts';

const [PLAIN = '', COMPACTED = ''] = opencodeSample.texts;

interface Part {
  readonly type: string;
  readonly id: string;
  readonly callID?: string;
  readonly state?: {
    readonly output?: string;
    readonly error?: string;
    readonly time?: { readonly compacted?: number };
  };
}
interface Export {
  readonly messages: readonly {
    readonly info: { readonly id: string; readonly parentID?: string };
    readonly parts: readonly Part[];
  }[];
}
const parsed = (file: string): Export => JSON.parse(file) as Export;
const partOf = (file: string, callId: string): Part | undefined =>
  parsed(file)
    .messages.flatMap(({ parts }) => parts)
    .find(({ callID }) => callID === callId);

type Change = (block: ContentBlock) => ContentBlock;
const mapped = (history: readonly IContent[], change: Change): IContent[] =>
  history.map((entry) => ({ ...entry, blocks: entry.blocks.map(change) }));
const answering =
  (result: string, ...ids: readonly string[]): Change =>
  (block) =>
    block.type === 'tool_response' && ids.includes(block.callId) ? { ...block, result } : block;

describe('reading opencode exports', () => {
  test('takes call and result out of their one part, and nothing that is for the screen', () => {
    const history = historyOf(opencode, PLAIN);
    expect(words(history).slice(0, 5)).toEqual([
      'human Why is `a` undefined? ✗ @a.ts + Called the Read tool with {"filePath":"a.ts"}',
      expect.stringMatching(/^ai thinking \+ I look\. \+ read .* \+ edit /),
      'tool let a;\n',
      'tool (oldString not found in content) Nothing was changed.',
      'ai It lacks a value.',
    ]);
    expect(JSON.stringify(history)).not.toContain('for the screen');
    expect(history[1]?.metadata).toMatchObject({
      id: 'msg_02',
      usage: { promptTokens: 45, completionTokens: 5, totalTokens: 50, cachedTokens: 30 },
    });
  });

  test('takes each step of an answer apart, with the pictures of its results', () => {
    expect(words(historyOf(opencode, PLAIN)).slice(6)).toEqual([
      expect.stringMatching(/^ai read /),
      'tool Image read. + media',
      expect.stringMatching(/^ai A cat\. \+ bash /),
      'tool a.ts b.png',
    ]);
  });

  test('continues from the summary after a compaction', () => {
    expect(steps(session(opencode, COMPACTED).events)).toEqual([
      'human Read a.ts.',
      'ai Read. + read {"filePath":"a.ts"}',
      'tool let a;\n',
      ['ai They read a.ts.'],
      'human Continue if you have next steps.',
      'ai I look. + bash {"command":"ls"}',
      `tool ${CLEARED_RESULT}`,
      'ai On it. + bash {"command":"sleep 9"}',
    ]);
  });

  test('does not send reverted entries, nor an answer that failed', () => {
    const messages = [
      asked('01', text('One.')),
      answered('02', '01', { error: { name: 'APIError' } }, text('Half an')),
      answered('03', '01', { error: { name: 'MessageAbortedError' } }, text('Stopped.')),
      asked('04', text('Two.')),
      answered('05', '04', {}, text('Done.')),
    ];
    const read = (facts: object) => words(historyOf(opencode, JSON.stringify({ info: info({ ...facts }), messages })));
    expect(read({})).toEqual(['human One.', 'ai Stopped.', 'human Two.', 'ai Done.']);
    expect(read({ revert: { messageID: 'msg_04' } })).toEqual(['human One.', 'ai Stopped.']);
  });

  test('says how to get a whole session where it gets one file of the storage folder', () => {
    const part = JSON.stringify({ id: 'prt_1', messageID: 'msg_1', sessionID: 'ses_9', type: 'text', text: 'x' });
    expect(opencode.detect(part)).toBe(true);
    expect(() => historyOf(opencode, part)).toThrow(/one part of ses_9.*opencode export ses_9/);
  });
});

describe('writing opencode exports', () => {
  test('flags a pruned result as opencode does, and keeps its text for an undo', () => {
    const written = rewritten(opencode, PLAIN, mapped(historyOf(opencode, PLAIN), answering(PRUNED_RESULT, 'c1')));
    expect(partOf(written, 'c1')?.state).toMatchObject({ output: 'let a;\n', time: { compacted: 1_760_000_000_005 } });
    expect(words(historyOf(opencode, written))[2]).toBe(`tool ${CLEARED_RESULT}`);
    expect(words(historyOf(opencode, written)).toSpliced(2, 1)).toEqual(
      words(historyOf(opencode, PLAIN)).toSpliced(2, 1),
    );
  });

  test('does not prune again what the agent cleared (docs/readings.md, row 5)', () => {
    const messages = ['1', '2', '3'].flatMap((id) => [
      asked(`0${id}`, text('Look.')),
      answered(`1${id}`, `0${id}`, {}, tool(`c${id}`, 'bash', done({ command: 'ls' }, 'a.ts'))),
    ]);
    const file = JSON.stringify({ info: info(), messages });
    const strategy = getCompressionStrategy('high-density', { vocabulary: opencode.vocabulary });
    const prune = (history: readonly IContent[]) =>
      strategy.optimize?.(history, {
        readWritePruning: false,
        fileDedupe: false,
        recencyPruning: true,
        recencyRetention: 1,
        workspaceRoot: '/repo/demo',
      })?.replacements ?? new Map<number, IContent>();
    const before = historyOf(opencode, file);
    const replacements = prune(before);
    expect(replacements.size).toBe(2);
    const written = rewritten(
      opencode,
      file,
      before.map((entry, index) => replacements.get(index) ?? entry),
    );
    expect(prune(historyOf(opencode, written)).size).toBe(0);
    expect(written.split('"compacted"').length - 1).toBe(2);
  });

  test('writes what a result says in its place, where it says something else than that it was pruned', () => {
    const shorter = mapped(historyOf(opencode, COMPACTED), answering('[bash: ls — success]', 'c3'));
    const written = rewritten(opencode, COMPACTED, shorter);
    expect(partOf(written, 'c3')?.state).toMatchObject({
      output: '[bash: ls — success]',
      time: { end: 1_760_000_000_005 },
    });
    expect(partOf(written, 'c3')?.state?.time?.compacted).toBeUndefined();
  });

  test('keeps pictures in sight: a pruned result that has one is written out', () => {
    const written = rewritten(opencode, PLAIN, mapped(historyOf(opencode, PLAIN), answering(PRUNED_RESULT, 'c3')));
    expect(partOf(written, 'c3')?.state).toMatchObject({ output: PRUNED_RESULT });
  });

  test('keeps every message, so that compactions and the parents of answers are kept', () => {
    const ids = (file: string) => parsed(file).messages.map((message) => message.info.id);
    for (const file of [PLAIN, COMPACTED]) {
      const written = rewritten(
        opencode,
        file,
        historyOf(opencode, file)
          .filter(({ speaker }) => speaker === 'ai')
          .slice(-1),
      );
      expect(ids(written)).toEqual(ids(file));
      expect(historyOf(opencode, written)).toHaveLength(1);
    }
  });

  test('gives new messages ids between those of their neighbours', () => {
    const note: IContent = { speaker: 'human', blocks: [{ type: 'text', text: 'What happened so far.' }] };
    const history = historyOf(opencode, PLAIN);
    const after = [note, ...history.slice(0, 5), note, note, ...history.slice(5), note];
    const written = rewritten(opencode, PLAIN, after);
    expect(words(historyOf(opencode, written))).toEqual(words(after));
    const ids = parsed(written).messages.map((message) => message.info.id);
    expect(ids.slice(1)).toEqual(ids.slice(1).toSorted());
    expect(new Set(ids).size).toBe(9);
  });

  test('creates ids that sort by time and answers that name the question', () => {
    const created = decode(
      joinLines(opencode.create?.(historyOf(opencode, PLAIN), { id: 'x', startedAt: 1_760_000_000_000 }) ?? []),
    );
    const { messages } = parsed(created);
    const ids = messages.map((message) => message.info.id);
    expect(
      messages.slice(1).every((message) => message.info.parentID === undefined || ids.includes(message.info.parentID)),
    ).toBe(true);
    expect(new Set(messages.flatMap(({ parts }) => parts.map(({ id }) => id))).size).toBe(
      messages.flatMap(({ parts }) => parts).length,
    );
    expect(liveHistory(session(opencode, created)).length).toBe(historyOf(opencode, PLAIN).length);
  });
});

describe('one sealed item of reasoning in several parts', () => {
  const sealed = (words: string): Record<string, unknown> => ({
    type: 'reasoning',
    text: words,
    metadata: { openai: { itemId: 'rs_1', reasoningEncryptedContent: 'c2VhbA==' } },
  });
  const file = JSON.stringify({
    info: info(),
    messages: [
      asked('01', text('Why?')),
      answered('02', '01', {}, sealed('First.'), sealed(''), sealed('Then.'), text('So.')),
    ],
  });

  test('is counted once', () => {
    const blocks = historyOf(opencode, file).flatMap((entry) => entry.blocks);
    const seals = blocks.map((block) =>
      block.type === 'thinking' ? [block.thought, block.encryptedContent] : block.type,
    );
    expect(seals).toEqual(['text', ['First.', 'c2VhbA=='], ['Then.', undefined], 'text']);
    expect(rewritten(opencode, file, historyOf(opencode, file))).toBe(file);
  });

  test('is removed whole', () => {
    const [question] = historyOf(opencode, file);
    const { messages } = parsed(rewritten(opencode, file, [question!]));
    expect(messages[1]!.parts.map(({ type }) => type)).toEqual(['step-start', 'step-finish']);
  });
});
