import { describe, expect, test } from 'vitest';
import { isFailure } from '../../../src/content/calls/pairing.ts';
import type { ContentBlock, IContent } from '../../../src/content/content.ts';
import { liveHistory, type Session } from '../../../src/formats/contract.ts';
import { geminiCli } from '../../../src/formats/gemini/gemini-cli.ts';
import { geminiCliJson } from '../../../src/formats/gemini/gemini-cli-json.ts';
import { historyOf, rewritten } from '../../contracts/format.ts';
import {
  answered,
  asked,
  called,
  geminiCliJsonSample,
  geminiCliSample,
  HEADER,
  repeated,
} from '../gemini-cli-fixture.ts';
import { session, steps, words } from '../words.ts';

const [GROWING = '', REWOUND = '', REPLACED = '', REPEATED = ''] = geminiCliSample.texts;
const [PRETTY = ''] = geminiCliJsonSample.texts;
const lines = (...values: readonly unknown[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('');

const blocksOf = (history: readonly IContent[]): ContentBlock[] => history.flatMap(({ blocks }) => [...blocks]);
const without = (history: readonly IContent[], ...ids: readonly string[]): IContent[] =>
  history.flatMap((entry) => {
    const blocks = entry.blocks.filter(
      (block) =>
        !(block.type === 'tool_call' && ids.includes(block.id)) &&
        !(block.type === 'tool_response' && ids.includes(block.callId)),
    );
    if (blocks.length === entry.blocks.length) return [entry];
    return blocks.some(({ type }) => type !== 'media') ? [{ ...entry, blocks }] : [];
  });

describe('reading Gemini CLI recordings', () => {
  test('takes call and result out of their one object, and nothing that is for the screen', () => {
    const history = historyOf(geminiCliJson, PRETTY);
    expect(words(history).slice(0, 4)).toEqual([
      'human Why is `a` undefined? ✗',
      'ai I look. + read_file {"file_path":"a.ts","start_line":1,"end_line":20} + replace {"file_path":"a.ts","old_string":"b","new_string":"c"}',
      'tool let a;\n',
      'tool (Failed to edit, 0 occurrences found.) ',
    ]);
    expect(JSON.stringify(history)).not.toMatch(/for the screen|Update available|Request cancelled/);
    expect(blocksOf(history).some(({ type }) => type === 'thinking')).toBe(false);
    expect(history[1]?.metadata).toMatchObject({
      id: 'm2',
      model: 'gemini-x',
      usage: { promptTokens: 100, completionTokens: 12, totalTokens: 112, cachedTokens: 40 },
      thoughts: [{ subject: 'Looking' }],
    });
  });

  test('takes a cancelled or failed call for one that did nothing, also where it recorded no result (docs/readings.md, row 2)', () => {
    const responses = blocksOf(historyOf(geminiCli, GROWING)).flatMap((block) =>
      block.type === 'tool_response' ? block : [],
    );
    const outcome = new Map(responses.map((response) => [response.callId, isFailure(response)]));
    expect([...outcome]).toEqual([
      ['c1', false],
      ['c2', true],
      ['c3', false],
      ['c4', true],
    ]);
    expect(responses.at(-1)).toMatchObject({ error: 'status cancelled', providerMetadata: { status: 'cancelled' } });
  });

  test('reads lines and a document of the same messages to the same entries', () => {
    const facts = (read: Session) => ({ history: liveHistory(read), model: read.model, id: read.id });
    expect(facts(session(geminiCli, GROWING))).toEqual(facts(session(geminiCliJson, PRETTY)));
    expect(session(geminiCli, GROWING).workspaceRoot).toBe('/repo/demo');
  });

  test('counts a message that was written again once, as its last form says', () => {
    expect(steps(session(geminiCli, GROWING).events)).toHaveLength(historyOf(geminiCli, GROWING).length);
  });

  test('reads a result once that is in its call and in the message after it', () => {
    const history = historyOf(geminiCli, REPEATED);
    expect(words(history)).toEqual([
      'human Read a.ts.',
      expect.stringMatching(/^ai read_file .* replace /),
      'tool let a;\n',
      'tool (Failed to edit, 0 occurrences found.) ',
      expect.stringMatching(/^ai read_file /),
      'tool Binary content provided. + media',
      expect.stringMatching(/^ai run_shell_command /),
      'tool (status cancelled) Stopped.',
      'ai Done.',
    ]);
    expect(steps(session(geminiCli, REPEATED).events)).toHaveLength(history.length);
  });

  test('reads a result twice where the message after the call says another, or two messages say it: both are sent', () => {
    const call = called('c1', 'glob', {}, { output: 'a' });
    const other = called('c1', 'glob', {}, { output: 'b' });
    const results = (...values: readonly unknown[]): unknown[] =>
      blocksOf(historyOf(geminiCli, lines(HEADER, asked('m1', 'x'), ...values))).flatMap((block) =>
        block.type === 'tool_response' ? [block.result] : [],
      );
    expect(results(answered('m2', '', call), repeated('m3', other))).toEqual(['a', 'b']);
    const said = [{ functionCall: { id: 'c1', name: 'glob', args: {} } }];
    expect(results(answered('m2', said), repeated('m3', call), repeated('m4', call))).toEqual(['a', 'a']);
  });

  test('finds the result of each call where one list contains those of all', () => {
    const first = called('c1', 'glob', {}, { output: 'a' });
    const second = called('c2', 'glob', {}, { output: 'b' });
    const result = [first, second].flatMap((call) => call['result']);
    const text = lines(HEADER, asked('m1', 'x'), answered('m2', '', { ...first, result }, { ...second, result }));
    expect(words(historyOf(geminiCli, text)).slice(2)).toEqual(['tool a', 'tool b']);
  });

  test('gives calls of one message with one id their results in order, in lists, copies and new recordings', () => {
    const first = called('c1', 'glob', { at: 1 }, { output: 'a' });
    const second = called('c1', 'glob', { at: 2 }, { output: 'b' });
    const result = [first, second].flatMap((call) => call['result']);
    const said = [1, 2].map((at) => ({ functionCall: { id: 'c1', name: 'glob', args: { at } } }));
    for (const text of [
      lines(HEADER, asked('m1', 'x'), answered('m2', '', first, second)),
      lines(HEADER, asked('m1', 'x'), answered('m2', said, { ...first, result }, { ...second, result })),
      lines(HEADER, asked('m1', 'x'), answered('m2', '', first, second), repeated('m3', first, second)),
    ]) {
      const history = historyOf(geminiCli, text);
      expect(words(history).slice(2)).toEqual(['tool a', 'tool b']);
      const created = geminiCli.create!(history, { id: 's', startedAt: 0 });
      expect(words(historyOf(geminiCli, new TextDecoder().decode(Buffer.concat([...created])))).slice(2)).toEqual([
        'tool a',
        'tool b',
      ]);
      const shorter = history.map((entry) => ({
        ...entry,
        blocks: entry.blocks.map((block) =>
          block.type === 'tool_response' && block.result === 'b' ? { ...block, result: 'short' } : block,
        ),
      }));
      const again = historyOf(geminiCli, rewritten(geminiCli, text, shorter));
      expect(words(again).slice(2)).toEqual(['tool a', 'tool short']);
      expect(words(again)[1]).toBe('ai glob {"at":1} + glob {"at":2}');
    }
  });

  test('takes back what was rewound, from that message on', () => {
    expect(steps(session(geminiCli, REWOUND).events).slice(3)).toEqual([
      'human Not that one.',
      'ai Sorry.',
      ['human Read a.ts.', expect.stringMatching(/^ai I read it/), 'tool let a;\n'],
      'human Now run the tests.',
      'ai run_shell_command {"command":"npm test"}',
    ]);
  });

  test('says so when it cannot find what is rewound to, and keeps all', () => {
    const read = session(geminiCli, lines(HEADER, asked('m1', 'Hello'), { $rewindTo: 'gone' }));
    expect(read.skipped).toEqual([{ line: 3, reason: 'rewinds to "gone", which does not exist' }]);
    expect(liveHistory(read)).toHaveLength(1);
  });

  test('keeps the identity of entries that are written again unchanged', () => {
    const { events } = session(geminiCli, REPLACED);
    const replaced = events.find((event) => event.kind === 'replace');
    const added = events.flatMap((event) => (event.kind === 'add' ? [event.content] : []));
    expect(replaced?.kind === 'replace' && replaced.contents[1]).toBe(added[1]);
  });
});

describe('writing Gemini CLI recordings', () => {
  test('takes a call away with all that it says, and leaves its neighbours byte for byte', () => {
    const written = rewritten(geminiCliJson, PRETTY, without(historyOf(geminiCliJson, PRETTY), 'c1'));
    const before = JSON.parse(PRETTY) as { messages: { toolCalls?: unknown[] }[] };
    const after = JSON.parse(written) as typeof before;
    expect(after.messages[2]?.toolCalls).toEqual([before.messages[2]?.toolCalls?.[1]]);
    expect(after.messages.toSpliced(2, 1)).toEqual(before.messages.toSpliced(2, 1));
  });

  test('removes every form of a message, so that no earlier one appears again', () => {
    const history = historyOf(geminiCli, GROWING).filter(({ metadata }) => !metadata?.id?.startsWith('m2'));
    const written = rewritten(geminiCli, GROWING, history);
    expect(written).not.toContain('"m2"');
    expect(historyOf(geminiCli, written)).toEqual(history);
  });

  test('shortens a result and keeps that the call failed', () => {
    const shorter = historyOf(geminiCli, GROWING).map((entry) => ({
      ...entry,
      blocks: entry.blocks.map((block) =>
        block.type === 'tool_response' ? { ...block, result: 'short', ...(block.error && { error: 'no' }) } : block,
      ),
    }));
    const again = blocksOf(historyOf(geminiCli, rewritten(geminiCli, GROWING, shorter)));
    expect(again.flatMap((block) => (block.type === 'tool_response' ? [[block.result, block.error]] : []))).toEqual([
      ['short', undefined],
      ['short', 'no'],
      ['short', undefined],
      ['short', 'no'],
    ]);
  });

  test('shortens both copies of a result, and nothing else', () => {
    const shorter = historyOf(geminiCli, REPEATED).map((entry) => ({
      ...entry,
      blocks: entry.blocks.map((block) => (block.type === 'tool_response' ? { ...block, result: 'short' } : block)),
    }));
    const written = rewritten(geminiCli, REPEATED, shorter);
    expect(written.match(/"output":"[^"]*"/g)).toEqual(Array<string>(8).fill('"output":"short"'));
    expect(written.match(/"error":"[^"]*"/g)).toEqual(
      Array<string>(2).fill('"error":"Failed to edit, 0 occurrences found."'),
    );
    expect(historyOf(geminiCli, written)).toEqual(shorter);
    const restored = rewritten(geminiCli, written, historyOf(geminiCli, REPEATED));
    expect(historyOf(geminiCli, restored)).toEqual(historyOf(geminiCli, REPEATED));
  });

  test('removes both copies of a call and its result, and writes new entries behind the second', () => {
    const history = without(historyOf(geminiCli, REPEATED), 'c1', 'c6');
    const place = history.findLastIndex(({ speaker }) => speaker === 'tool') + 1;
    const note: IContent = { speaker: 'human', blocks: [{ type: 'text', text: 'Go on.' }] };
    const written = rewritten(geminiCli, REPEATED, history.toSpliced(place, 0, note));
    expect(written).not.toMatch(/"c1"|"c6"|"m7"/);
    expect(words(historyOf(geminiCli, written))).toEqual(words(history.toSpliced(place, 0, note)));
  });

  test('refuses a response without its call: the two are one object', () => {
    const history = historyOf(geminiCli, GROWING).map((entry) => ({
      ...entry,
      blocks: entry.blocks.filter((block) => block.type !== 'tool_call' || block.id !== 'c1'),
    }));
    expect(() => rewritten(geminiCli, GROWING, history)).toThrow(/"c1" to be removed with its call/);
  });

  test('puts new entries at their position, an answer with its results in one message', () => {
    const added: IContent[] = [
      { speaker: 'ai', blocks: [{ type: 'tool_call', id: 'n1', name: 'glob', parameters: { pattern: '*' } }] },
      { speaker: 'tool', blocks: [{ type: 'tool_response', callId: 'n1', toolName: 'glob', result: 'a.ts' }] },
    ];
    const note: IContent = { speaker: 'human', blocks: [{ type: 'text', text: 'What happened so far.' }] };
    for (const text of [GROWING, REWOUND, REPLACED]) {
      const history = historyOf(geminiCli, text);
      const place = history.findIndex(({ speaker }) => speaker === 'tool') + 1;
      const after = [note, ...history.slice(0, place), ...added, ...history.slice(place)];
      const written = rewritten(geminiCli, text, after);
      expect(words(historyOf(geminiCli, written)).toSorted()).toEqual(words(after).toSorted());
      expect(words(historyOf(geminiCli, written))[0]).toBe('human What happened so far.');
      expect(written.split('"n1"').length - 1).toBe(2);
    }
  });

  test('gives an answer that has a cancelled call no words it did not have', () => {
    const text = lines(HEADER, asked('m1', 'x'), answered('m2', '', called('c1', 'glob', {}, { output: 'a' })));
    const written = rewritten(geminiCli, text, without(historyOf(geminiCli, text), 'c1'));
    expect(words(historyOf(geminiCli, written))).toEqual(['human x']);
  });
});
