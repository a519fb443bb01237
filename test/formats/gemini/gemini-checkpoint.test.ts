import { describe, expect, test } from 'vitest';
import { liveHistory } from '../../../src/formats/contract.ts';
import { geminiCheckpoint } from '../../../src/formats/gemini/gemini-checkpoint.ts';
import { decode, joinLines } from '../../../src/formats/lines/lines.ts';
import { historyOf, rewritten, unpaired } from '../../contracts/format.ts';
import { answer, call, geminiCheckpointSample, model, user } from '../gemini-checkpoint-fixture.ts';
import { session, words } from '../words.ts';

const [WRAPPED = '', BARE = '', BEFORE_EDIT = ''] = geminiCheckpointSample.texts;
const text = (...turns: readonly unknown[]): string => JSON.stringify({ history: turns });

describe('reading Gemini CLI checkpoints', () => {
  test('pairs results by name and order where calls have no ids', () => {
    const history = historyOf(geminiCheckpoint, WRAPPED);
    expect(unpaired(history)).toEqual([]);
    expect(history.map(({ speaker }) => speaker).join(' ')).toBe('human ai human ai tool tool tool ai human');
    expect(words(history)[5]).toBe('tool Binary content provided. + media');
    expect(historyOf(geminiCheckpoint, BARE)).toEqual(history);
  });

  test('pairs results by id where they have one, in any order', () => {
    const history = liveHistory(session(geminiCheckpoint, BEFORE_EDIT));
    expect(unpaired(history)).toEqual(['c3']);
    expect(words(history).slice(2, 4)).toEqual(['tool [object Object]', 'tool (exit 1) 1 failed']);
  });

  test('says of a failed edit that it failed', () => {
    const blocks = historyOf(geminiCheckpoint, WRAPPED)[6]?.blocks;
    expect(blocks?.[0]).toMatchObject({
      toolName: 'replace',
      result: '',
      error: 'Failed to edit, 0 occurrences found.',
    });
  });

  test('gives the same call the same id when the one before it is removed', () => {
    const read = (path: string) => [call('read_file', { file_path: path })];
    const turns = (path: string) => [model(...read(path)), user(answer('read_file', { output: path }))];
    const ids = (...paths: readonly string[]): unknown[] =>
      historyOf(geminiCheckpoint, text(user({ text: 'Read.' }), ...paths.flatMap(turns)))
        .flatMap(({ blocks }) => blocks)
        .flatMap((block) => (block.type === 'tool_call' ? block.id : []));
    expect(ids('a.ts', 'b.ts')[1]).toBe(ids('b.ts')[0]);
    expect(new Set(ids('a.ts', 'a.ts')).size).toBe(2);
  });
});

describe('writing Gemini CLI checkpoints', () => {
  test('keeps the signature of a call beside it, and every result in one turn', () => {
    const history = historyOf(geminiCheckpoint, WRAPPED);
    const written = rewritten(geminiCheckpoint, WRAPPED, history.slice(2));
    expect(written).toContain('"thoughtSignature": "c2lnMg=="');
    const created = decode(joinLines(geminiCheckpoint.create?.(history, { id: 'x', startedAt: 0 }) ?? []));
    const turns = (JSON.parse(created) as { history: { role: string; parts: object[] }[] }).history;
    const place = turns.findIndex(({ parts }) => parts.some((part) => 'functionCall' in part));
    expect(turns[place + 1]?.parts.filter((part) => 'functionResponse' in part)).toHaveLength(3);
    expect(turns.flatMap(({ parts }) => parts).filter((part) => 'thoughtSignature' in part)).toHaveLength(1);
  });

  test('changes a result that has another shape as a whole', () => {
    const history = historyOf(geminiCheckpoint, BEFORE_EDIT).map((entry) => ({
      ...entry,
      blocks: entry.blocks.map((block) =>
        block.type === 'tool_response' && block.toolName === 'glob' ? { ...block, result: 'one file' } : block,
      ),
    }));
    expect(rewritten(geminiCheckpoint, BEFORE_EDIT, history)).toContain('"response":{"output":"one file"}');
  });
});
