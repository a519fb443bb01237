import { describe, expect, test, vi } from 'vitest';
import type { IContent } from '../../../../src/content/content.ts';
import { claudeCode } from '../../../../src/content/vocabularies/claude-code.ts';
import type { DensityConfig } from '../../../../src/strategies/contract.ts';
import { optimizePlainly } from '../../../../src/strategies/high-density/optimize-plainly.ts';
import { TextLines } from '../../../../src/strategies/high-density/repeated-lines/text-lines.ts';
import { explainReason } from '../../../../src/strategies/reasons/edit-reason.ts';
import { SPECIFIED_RULES } from '../../../../src/strategies/settings/rule-settings.ts';
import { applied } from '../../../contracts/strategy.ts';
import { ALL_OFF, ai, exchange, human } from '../../conversation.ts';

/** Long enough that a result which is only notes may be. */
const LINES = Array.from({ length: 12 }, (_, at) => `  line ${at} of a file, ${'with some words in it, '.repeat(12)}`);
const TEXT = LINES.join('\n');
const numbered = (lines: readonly string[], first: number): string =>
  lines.map((line, at) => `${String(first + at).padStart(6)}→${line}`).join('\n');

const read = (id: string, result: string, file = 'a.ts'): IContent[] =>
  exchange(id, 'Read', { file_path: file }, { result });
const write = (id: string, content: string): IContent[] =>
  exchange(id, 'Write', { file_path: 'a.ts', content }, { result: 'ok' });

const RULES = { ...SPECIFIED_RULES, repeatedLines: 8 };

const withoutChecks = (text: unknown): unknown =>
  typeof text === 'string' ? text.replaceAll(/, from ".*?" #[0-9a-z]+⟧/g, '⟧') : text;

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
      ['⟦density: 9 lines as shown above by Read a.ts⟧', '  a new line', ...LINES.slice(9)].join('\n'),
    ]);
    expect(result.edits).toHaveLength(1);
    expect(result.metadata.recencyPruned).toBe(1);
    expect(explainReason(result.edits![0]!.reason, { call: ({ callId }) => `call ${callId}` })).toBe(
      'call 1 shows the same lines above',
    );
  });

  test('names what the model wrote itself, with the numbers that only the new result has', () => {
    const { texts } = pruned([...write('1', TEXT), ...read('2', `${numbered(LINES, 1)}\n<note>`)]);
    expect(texts).toEqual(['ok', '⟦density: 12 lines, 1 to 12, as written above by Write a.ts⟧\n<note>']);
  });

  test('names in a diff what the model wrote itself, with the sign of its lines', () => {
    const head = 'diff --git a/a.ts b/a.ts\n--- /dev/null\n+++ b/a.ts\n@@ -0,0 +1,12 @@\n';
    const diff = head + LINES.map((line) => `+${line}`).join('\n');
    const shown = (id: string, result: string): IContent[] => exchange(id, 'Bash', { command: 'git diff' }, { result });
    const written = pruned([...write('1', TEXT), ...shown('2', diff)]);
    expect(written.texts[1]).toBe(`${head}⟦density: 12 lines, each after "+", as written above by Write a.ts⟧`);
    const again = pruned([...shown('1', diff), ...shown('2', `${diff}\n`)]);
    expect(again.texts[1]).toBe('⟦density: 16 lines as shown above by Bash git diff⟧\n');
    const removed = diff.replaceAll(/^\+(?= )/gm, '-');
    expect(pruned([...shown('1', diff), ...shown('2', removed)]).texts[1]).toBe(removed);
    expect(pruned([...shown('1', diff), ...read('2', TEXT)]).texts[1]).toBe(TEXT);
  });

  test('names a run of few lines if they are long', () => {
    const [long, short] = [4_000, 2_000].map((length) => `{"rows": [${'1, '.repeat(length / 3)}1]}\nend of it all`);
    expect(pruned([...read('1', long!), ...read('2', long!)]).texts[1]).toBe(
      '⟦density: 2 lines as shown above by Read a.ts⟧',
    );
    expect(pruned([...read('1', short!), ...read('2', short!)]).texts[1]).toBe(short);
  });

  test('names lines that the user gave', () => {
    expect(pruned([human(`Look:\n${TEXT}`), ...read('2', TEXT)]).texts).toEqual([
      '⟦density: 12 lines as shown above by a message of the user⟧',
    ]);
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

  test('names lines of other files and tools: whatever shows them', () => {
    expect(pruned([...read('1', TEXT, 'b.ts'), ...read('2', TEXT)]).texts[1]).toBe(
      '⟦density: 12 lines as shown above by Read b.ts⟧',
    );
    const shell = exchange('1', 'Bash', { command: 'make' }, { result: TEXT });
    expect(pruned([...shell, ...read('2', TEXT)]).texts[1]).toBe('⟦density: 12 lines as shown above by Bash make⟧');
  });

  test('counts blanks at the end of a line, and what a person could not see', () => {
    const text = LINES.map((line) => `${line} `).join('\n');
    expect(pruned([...read('1', TEXT), ...read('2', text)]).texts[1]).toBe(text);
    const windows = LINES.join('\r\n');
    expect(pruned([...read('1', TEXT), ...read('2', windows)]).texts[1]).toBe(windows);
  });

  test('stays whole if it is short and would be notes only', () => {
    const part = LINES.slice(2, 10).join('\n');
    expect(part.length).toBeLessThan(3_000);
    expect(pruned([...read('1', TEXT), ...read('2', part)]).texts[1]).toBe(part);
  });

  test.each([1, 7])('names %i lines, which are few, where they have 3,000 characters', (count) => {
    const long = Array.from({ length: count }, (_, at) => `${at} `.padEnd(Math.ceil(3_000 / count), '.')).join('\n');
    const text = `${TEXT}\n${long}`;
    const { texts } = pruned([...read('1', long), ...read('2', text)]);
    expect(texts[1]).toBe(`${TEXT}\n⟦density: ${count} lines as shown above by Read a.ts⟧`);
    const short = long.slice(0, -20);
    const others = [...read('1', short), ...read('2', `${TEXT}\n${short}`)];
    expect(pruned(others).texts[1]).toBe(`${TEXT}\n${short}`);
  });

  test('is whole if the same was asked for just before, and answered by notes', () => {
    const noted = [...read('1', TEXT), ...read('2', TEXT)];
    const { result } = pruned(noted);
    const again = [...applied(noted, result), ai('on'), ...read('3', TEXT)];
    expect(pruned(again).texts[2]).toBe(TEXT);
    const later = [...applied(noted, result), ...Array.from({ length: 9 }, () => human('on')), ...read('3', TEXT)];
    expect(pruned(later).texts[2]).toBe('⟦density: 12 lines as shown above by Read a.ts⟧');
  });

  test('repeats lines of protected tools and files', () => {
    for (const rules of [
      { ...RULES, protectedPaths: ['a.ts'] },
      { ...RULES, protectedTools: ['Read'] },
    ]) {
      expect(pruned([...read('1', TEXT), ...read('2', TEXT)], { rules }).texts).toEqual([TEXT, TEXT]);
    }
  });

  test('names lines of a text that another rule would remove: that waits for the next step', () => {
    const config = { recencyPruning: true, recencyRetention: 1 };
    const history = [...read('1', TEXT), ...read('2', TEXT)];
    const { texts, result } = pruned(history, config);
    expect(texts).toEqual([TEXT, '⟦density: 12 lines as shown above by Read a.ts⟧']);
    const next = pruned([...applied(history, result), ai('on')], config);
    expect(next.texts).toEqual([expect.stringContaining('pruned'), TEXT]);
  });

  test('does not take the place of the earlier text that it names', () => {
    const rules = { ...RULES, partialEdits: 'keep-lines', supersededReads: true } as const;
    const history = [...read('1', TEXT), ...read('2', TEXT)];
    const { texts, result } = pruned(history, { readWritePruning: true, rules });
    expect(texts).toEqual([TEXT, '⟦density: 12 lines as shown above by Read a.ts⟧']);
    const later = [...applied(history, result), ai('on')];
    expect(pruned(later, { readWritePruning: true, rules }).texts).toEqual(texts);
  });

  test('repeats everything if the setting is 0, as by default', () => {
    const rules = { ...SPECIFIED_RULES, repeatedLines: 0 };
    expect(pruned([...read('1', TEXT), ...read('2', TEXT)], { rules }).result.edits).toEqual([]);
    expect(SPECIFIED_RULES.repeatedLines).toBe(0);
  });
});

describe('a result that repeats its own lines', () => {
  const period = (times: number): string => Array.from({ length: times }, () => TEXT).join('\n');
  const oneLine = (times: number): string => Array.from({ length: 12 * times }, () => LINES[0]!).join('\n');

  test.for([
    { textOf: period, results: ['1'] },
    { textOf: period, results: ['1', '2'] },
    { textOf: oneLine, results: ['1'] },
    { textOf: oneLine, results: ['1', '2'] },
  ])('is compared in linear time: $textOf.name, $results.length results', ({ textOf, results }) => {
    const looksAt = (times: number): number => {
      const looks = vi.spyOn(TextLines.prototype, 'hashOf');
      pruned(results.flatMap((id) => exchange(id, 'Bash', { command: 'make' }, { result: textOf(times) })));
      const { length } = looks.mock.calls;
      looks.mockRestore();
      return length;
    };
    expect(looksAt(200)).toBeLessThan(4.5 * looksAt(50));
  });
});
