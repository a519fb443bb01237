import { describe, expect, test } from 'vitest';
import type { IContent } from '../../../../src/content/content.ts';
import { claudeCode } from '../../../../src/content/vocabularies/claude-code.ts';
import type { DensityConfig } from '../../../../src/strategies/contract.ts';
import { optimizePlainly } from '../../../../src/strategies/high-density/optimize-plainly.ts';
import { explainReason } from '../../../../src/strategies/reasons/explain-reason.ts';
import { SPECIFIED_RULES } from '../../../../src/strategies/settings/rule-settings.ts';
import { applied } from '../../../contracts/strategy.ts';
import { ALL_OFF, ai, exchange } from '../../conversation.ts';

const LINES = Array.from({ length: 12 }, (_, at) => `  line ${at} of a file, with some words in it`);
const TEXT = LINES.join('\n');
const numbered = (lines: readonly string[], first: number): string =>
  lines.map((line, at) => `${String(first + at).padStart(6)}→${line}`).join('\n');

const read = (id: string, result: string, file = 'a.ts'): IContent[] =>
  exchange(id, 'Read', { file_path: file }, { result });
const write = (id: string, content: string): IContent[] =>
  exchange(id, 'Write', { file_path: 'a.ts', content }, { result: 'ok' });

const RULES = { ...SPECIFIED_RULES, repeatedLines: 8 };

const withoutChecks = (text: unknown): unknown =>
  typeof text === 'string' ? text.replaceAll(/ #[0-9a-z]+\]/g, ']') : text;

function pruned(history: readonly IContent[], config: Partial<DensityConfig> = {}) {
  const result = optimizePlainly(history, { ...ALL_OFF, rules: RULES, ...config }, { vocabulary: claudeCode });
  const texts = applied(history, result).flatMap(({ blocks }) =>
    blocks.flatMap((block) => (block.type === 'tool_response' ? [withoutChecks(block.result)] : [])),
  );
  return { texts, result };
}

describe('a new result of a file', () => {
  test('names the lines that an earlier read shows instead of repeating them', () => {
    const changed = [...LINES.slice(0, 9), '  a new line', ...LINES.slice(9)].join('\n');
    const { texts, result } = pruned([...read('1', TEXT), ...read('2', changed)]);
    expect(texts).toEqual([
      TEXT,
      ['[9 lines as shown above by Read a.ts]', '  a new line', ...LINES.slice(9)].join('\n'),
    ]);
    expect(result.edits).toHaveLength(1);
    expect(result.metadata.recencyPruned).toBe(1);
    expect(explainReason(result.edits![0]!.reason, { call: ({ callId }) => `call ${callId}` })).toBe(
      'call 1 shows the same lines above',
    );
  });

  test('names what the model wrote itself, with the numbers that only the new result has', () => {
    const { texts } = pruned([...write('1', TEXT), ...read('2', `${numbered(LINES, 1)}\n<note>`)]);
    expect(texts).toEqual(['ok', '[12 lines, 1 to 12, as shown above by Write a.ts]\n<note>']);
  });

  test('that was sent before stays as it is: its prefix is in a cache', () => {
    const { result } = pruned([...read('1', TEXT), ...read('2', TEXT), ai('on')]);
    expect(result.edits).toEqual([]);
  });

  test.each([
    ['with another indentation', LINES.map((line) => `  ${line}`).join('\n')],
    ['in another order', LINES.toReversed().join('\n')],
    ['in runs that are too short', LINES.flatMap((line, at) => (at % 7 === 0 ? [line, 'new'] : [line])).join('\n')],
  ])('repeats lines %s', (_what, text) => {
    expect(pruned([...read('1', TEXT), ...read('2', text)]).texts).toEqual([TEXT, text]);
  });

  test('repeats lines of other files, and those of protected tools and files', () => {
    expect(pruned([...read('1', TEXT, 'b.ts'), ...read('2', TEXT)]).texts).toEqual([TEXT, TEXT]);
    for (const rules of [
      { ...RULES, protectedPaths: ['a.ts'] },
      { ...RULES, protectedTools: ['Read'] },
    ]) {
      expect(pruned([...read('1', TEXT), ...read('2', TEXT)], { rules }).texts).toEqual([TEXT, TEXT]);
    }
  });

  test('repeats lines of a text that another rule removes, and names another one that stays', () => {
    const config = { recencyPruning: true, recencyRetention: 1 };
    expect(pruned([...read('1', TEXT), ...read('2', TEXT)], config).texts[1]).toBe(TEXT);
    expect(pruned([...write('1', TEXT), ...read('2', TEXT), ...read('3', TEXT)], config).texts[2]).toBe(
      '[12 lines as shown above by Write a.ts]',
    );
  });

  test('does not take the place of the earlier text that it names', () => {
    const rules = { ...RULES, partialEdits: 'keep-lines', supersededReads: true } as const;
    const history = [...read('1', TEXT), ...read('2', TEXT)];
    const { texts, result } = pruned(history, { readWritePruning: true, rules });
    expect(texts).toEqual([TEXT, '[12 lines as shown above by Read a.ts]']);
    const later = [...applied(history, result), ai('on')];
    expect(pruned(later, { readWritePruning: true, rules }).texts).toEqual(texts);
  });

  test('repeats everything if the setting is 0, as by default', () => {
    const rules = { ...SPECIFIED_RULES, repeatedLines: 0 };
    expect(pruned([...read('1', TEXT), ...read('2', TEXT)], { rules }).result.edits).toEqual([]);
    expect(SPECIFIED_RULES.repeatedLines).toBe(0);
  });
});
