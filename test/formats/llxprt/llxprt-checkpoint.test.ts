import { describe, expect, test } from 'vitest';
import { detectFormat } from '../../../src/formats/index.ts';
import { llxprtCheckpoint } from '../../../src/formats/llxprt/llxprt-checkpoint.ts';
import { historyOf, rewritten } from '../../contracts/format.ts';
import { geminiCheckpointSample } from '../gemini-checkpoint-fixture.ts';
import { llxprtCheckpointSample } from '../llxprt-checkpoint-fixture.ts';
import { session, words } from '../words.ts';

const [BARE = '', WRAPPED = ''] = llxprtCheckpointSample.texts;

describe('LLxprt checkpoints', () => {
  test('are read unchanged, with ids and facts, bare or wrapped', () => {
    const history = historyOf(llxprtCheckpoint, BARE);
    expect(historyOf(llxprtCheckpoint, WRAPPED)).toEqual(history);
    expect(history.map(({ metadata }) => metadata?.id)).toEqual([
      'e1',
      'e2',
      'message-2',
      'message-3',
      'message-4',
      'message-5',
    ]);
    expect(history[0]?.metadata).toEqual({ id: 'e1', turnId: 't1' });
    expect(session(llxprtCheckpoint, BARE).model).toBe('model-x');
  });

  test('that contain turns of Gemini are those of Gemini CLI', () => {
    expect(geminiCheckpointSample.texts.map((text) => detectFormat(text).name)).not.toContain('llxprt-checkpoint');
  });

  test('name an entry that is none by its place, and use the others', () => {
    const spoilt = JSON.stringify([{ speaker: 'x', blocks: [] }, ...(JSON.parse(BARE) as unknown[])]);
    const read = session(llxprtCheckpoint, spoilt);
    expect(read.skipped).toEqual([{ line: 1, reason: 'expected `speaker` human, ai or tool in entry 0' }]);
    expect(read.events).toHaveLength(6);
    expect(rewritten(llxprtCheckpoint, spoilt, historyOf(llxprtCheckpoint, spoilt))).toBe(spoilt);
  });

  test('take a summary in place of the first entries, everything else unchanged', () => {
    const history = historyOf(llxprtCheckpoint, WRAPPED);
    const summary = { speaker: 'human' as const, blocks: [{ type: 'text' as const, text: 'They looked.' }] };
    const written = rewritten(llxprtCheckpoint, WRAPPED, [summary, ...history.slice(4)]);
    expect(words(historyOf(llxprtCheckpoint, written))).toEqual([
      'human They looked.',
      'ai It lacks a value.',
      'human Thanks.',
    ]);
    expect(written.endsWith('\n  "authType": "oauth"\n}')).toBe(true);
  });
});
