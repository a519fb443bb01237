import { describe, expect, test } from 'vitest';
import { qwenCode } from '../../../src/formats/qwen-code/qwen-code.ts';
import { historyOf } from '../../contracts/format.ts';
import { qwenCodeSample } from '../qwen-code-fixture.ts';
import { session, words } from '../words.ts';

const [PLAIN = '', CHANGED = ''] = qwenCodeSample.texts;

describe('sessions of Qwen Code', () => {
  test('have turns of the Gemini API, with facts and usage', () => {
    const { id, model, workspaceRoot, skipped } = session(qwenCode, PLAIN);
    expect({ id, model, workspaceRoot, skipped }).toEqual({
      id: 's-1',
      model: 'qwen3-coder-plus',
      workspaceRoot: '/repo/demo',
      skipped: [],
    });
    const history = historyOf(qwenCode, PLAIN);
    expect(history.map(({ speaker }) => speaker)).toEqual(['human', 'ai', 'tool', 'ai', 'tool', 'ai']);
    expect(history[1]?.metadata?.usage).toEqual({
      promptTokens: 900,
      completionTokens: 20,
      totalTokens: 920,
      cachedTokens: 800,
    });
  });

  test('lose what a rewind left, and what a compaction replaced', () => {
    expect(words(historyOf(qwenCode, CHANGED))).toEqual(['human They read.', 'ai Read too.']);
    const added = session(qwenCode, CHANGED).events.filter(({ kind }) => kind === 'add');
    expect(added).toHaveLength(4);
  });

  test('hang what followed a lost record on the one before it', () => {
    const lines = PLAIN.trimEnd().split('\n');
    const before = words(historyOf(qwenCode, PLAIN));
    for (const at of lines.keys()) {
      const left = words(historyOf(qwenCode, lines.toSpliced(at, 1).join('\n')));
      expect(left.length).toBeGreaterThanOrEqual(before.length - 1);
    }
  });
});
