import { describe, expect, test } from 'vitest';
import type { IContent } from '../../../src/content/content.ts';
import { carriedTokens, carryWords } from '../../../src/strategies/summarizing/carried-words.ts';
import { ai, human, image, response } from '../conversation.ts';

const countTokens = async ({ blocks }: IContent): Promise<number> =>
  blocks.reduce((sum, block) => sum + (block.type === 'text' ? block.text.length : 100), 0);

function carry(history: readonly IContent[], budgetTokens: number): ReturnType<typeof carryWords> {
  const indices = [...history.keys()].filter((at) => history[at]!.speaker === 'human');
  return carryWords(history, { indices, budgetTokens, countTokens });
}

describe('words of the user in a part that is summarised', () => {
  test('are carried within the smaller of 20,000 tokens and 15% of the window', () => {
    expect(carriedTokens(1_000_000)).toBe(20_000);
    expect(carriedTokens(100_000)).toBe(15_000);
  });

  test('are the same entries', async () => {
    const history = [human('one'), ai('…'), human('two', image)];
    const { entries, shortened } = await carry(history, 1000);
    expect([...entries.keys()].sort()).toEqual([0, 2]);
    expect(entries.get(0)).toBe(history[0]);
    expect(entries.get(2)).toBe(history[2]);
    expect(shortened).toEqual([]);
  });

  test('are cut from the oldest when there is no room, and what was cut is named', async () => {
    const history = [human(`first ${'a'.repeat(94)}`), human(`second ${'b'.repeat(193)}`), human('c'.repeat(100))];
    const { entries, shortened } = await carry(history, 240);
    expect(entries.get(2)).toBe(history[2]);
    expect(entries.has(0)).toBe(false);
    const [cut] = entries.get(1)!.blocks;
    expect(cut).toMatchObject({ text: expect.stringMatching(/^second b+\n\[… \d+ characters.*left out …\]\nb+$/) });
    expect(shortened.map(({ opening }) => opening.slice(0, 6))).toEqual(['first ', 'second']);
    expect(shortened.map(({ tokens }) => tokens)).toEqual([100, 200]);
  });

  test('lose their attached files and media first', async () => {
    const inclusion = (path: string): string => `--- ${path} ---\n${'x'.repeat(500)}\n--- End of content ---\n`;
    const history = [human(`Look at\n${inclusion('a.ts')}and\n${inclusion('b.ts')}then go.`, image)];
    const { entries } = await carry(history, 200);
    const [block] = entries.get(0)!.blocks;
    expect(block).toMatchObject({
      text: 'Look at\n[@a.ts: its content is left out]\nand\n[@b.ts: its content is left out]\nthen go.\n[image/png left out]',
    });
  });

  test('lose inclusions that are spread over blocks', async () => {
    const history = [
      human(
        'Look at @a.ts',
        '\n--- Content from referenced files ---',
        '\nContent from @a.ts:\n',
        'x'.repeat(500),
        '\n--- End of content ---',
      ),
    ];
    const { entries } = await carry(history, 150);
    const [block] = entries.get(0)!.blocks;
    expect(block).toMatchObject({ text: expect.stringContaining('Look at @a.ts') });
    expect(block).toMatchObject({ text: expect.stringContaining('[@a.ts: its content is left out]') });
    expect(block).toMatchObject({ text: expect.not.stringContaining('xxx') });
  });

  test('never contain results of calls', async () => {
    const { entries } = await carry([human('words', response('1', 'x')), human(response('2', 'x'))], 1000);
    expect(entries.get(0)?.blocks).toEqual([{ type: 'text', text: 'words' }]);
    expect(entries.has(1)).toBe(false);
  });

  test('within the budget no sentence is lost, over it the newest are whole', async () => {
    const history = Array.from({ length: 30 }, (_, at) => human(`Sentence ${at}. ${'w'.repeat(at * 3)}`));
    for (let budget = 0; budget < 2500; budget += 70) {
      const { entries } = await carry(history, budget);
      let used = 0;
      for (const content of entries.values()) used += await countTokens(content);
      expect(used).toBeLessThanOrEqual(budget);
      let needed = 0;
      for (const [at, content] of [...history.entries()].reverse()) {
        needed += await countTokens(content);
        if (needed <= budget) expect(entries.get(at)).toBe(content);
      }
    }
  });
});
