import { describe, expect, test, vi } from 'vitest';
import type { IContent } from '../../../src/content/content.ts';
import { createExactCounter } from '../../../src/history/counter.ts';
import { HistoryService } from '../../../src/history/history-service.ts';
import { InlineEngine } from '../../../src/history/inline-engine.ts';
import { hasLongText } from '../../../src/history/tokens/long-text.ts';
import { countInSlices } from '../../../src/history/tokens/sliced-count.ts';
import { countEntry } from '../../../src/tokens/entries/entry.ts';
import { createTokenizer, TOKENIZER_FAMILIES } from '../../../src/tokens/index.ts';
import { answer, human } from '../entries.ts';

const text = Array.from(
  { length: 9000 },
  (_, line) => `line ${line}: café += value_${line * 7}; 漢字 ${line % 13} // it's`,
).join('\n');
const long: IContent = {
  speaker: 'ai',
  blocks: [
    { type: 'thinking', thought: text, signature: 'c2ln' },
    { type: 'text', text },
    { type: 'tool_call', id: 'c', name: 'write_file', parameters: { file_path: 'x', content: text, lines: [1, text] } },
    { type: 'code', code: 'short' },
  ],
};

describe('entries with long texts', () => {
  test.each(Object.keys(TOKENIZER_FAMILIES) as (keyof typeof TOKENIZER_FAMILIES)[])(
    'count in slices what they count at once, for %s',
    (family) => {
      const tokenizer = createTokenizer(family);
      const steps: IteratorResult<void, number>[] = [];
      const counting = countInSlices(long, tokenizer);
      do steps.push(counting.next());
      while (!steps.at(-1)?.done);
      expect(steps.at(-1)?.value).toBe(countEntry(long, tokenizer));
      expect(steps.length).toBeGreaterThan(20);
    },
  );

  test('are found in blocks, parameters and results', () => {
    expect(hasLongText(long)).toBe(true);
    expect(hasLongText(answer('c', { output: text }))).toBe(true);
    expect(hasLongText(answer('c', text.slice(0, 1000)))).toBe(false);
    expect(hasLongText(answer('c', null))).toBe(false);
  });

  test('let the event loop turn while one of them is counted', async () => {
    let nowMs = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => nowMs++);
    let turns = 0;
    let isDone = false;
    const countTurn = (): void => {
      turns++;
      if (!isDone) setImmediate(countTurn);
    };
    setImmediate(countTurn);
    const history = new HistoryService();
    history.add(long);
    await history.waitForTokenUpdates();
    isDone = true;
    vi.restoreAllMocks();
    expect(turns).toBeGreaterThan(5);
    expect(history.getTotalTokens()).toBe(createExactCounter().countEntry(long, 'gpt-4.1'));
  });

  test('a slice that cannot be counted is a failure of its entry alone', async () => {
    const counter = createExactCounter();
    const broken = {
      ...counter,
      *countInSlices(): Generator<void, number, void> {
        yield;
        throw new Error('cannot count');
      },
    };
    const history = new HistoryService({ engine: new InlineEngine(broken) });
    history.addAll([long, human('hello world')]);
    await expect(history.waitForTokenUpdates()).rejects.toThrow('cannot count');
    expect(history.getTotalTokens()).toBe(2);
  });
});
