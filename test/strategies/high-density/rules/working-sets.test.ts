import { describe, expect, test } from 'vitest';
import type { IContent } from '../../../../src/content/content.ts';
import { PRUNED_RESULT } from '../../../../src/content/pruned-result.ts';
import { claudeCode } from '../../../../src/content/vocabularies/claude-code.ts';
import { codex } from '../../../../src/content/vocabularies/codex.ts';
import { optimizePlainly } from '../../../../src/strategies/high-density/optimize-plainly.ts';
import { type DensityRules, SPECIFIED_RULES } from '../../../../src/strategies/settings/rule-settings.ts';
import { applied } from '../../../contracts/strategy.ts';
import { ALL_OFF, ai, exchange } from '../../conversation.ts';

/** 1,000 characters: 250 tokens by the estimate of the rule. */
const LONG = 'x'.repeat(1000);
const quiet = (calls: number): IContent[] => Array.from({ length: calls }, () => ai('on'));
const read = (file: string, result = LONG): IContent[] =>
  exchange(`r-${file}`, 'Read', { file_path: file }, { result });
const edit = (file: string): IContent[] =>
  exchange(`e-${file}`, 'Edit', { file_path: file, old_string: 'x', new_string: 'y' }, { result: 'ok' });
const command = (id: string, script: string, result = LONG): IContent[] =>
  exchange(id, 'shell_command', { command: script }, { result });

const RULES = { ...SPECIFIED_RULES, carriedTokens: 2000, resultCalls: 5 };

const pruned = (history: readonly IContent[], rules: DensityRules, vocabulary = claudeCode): IContent[] =>
  applied(history, optimizePlainly(history, { ...ALL_OFF, rules }, { vocabulary }));

/** The ids of the calls whose results are replaced: a read of 250 tokens after eight model calls. */
function replaced(parts: readonly IContent[][], workingSetCalls: number, vocabulary = claudeCode): string[] {
  return pruned(parts.flat(), { ...RULES, workingSetCalls }, vocabulary).flatMap(({ blocks }) =>
    blocks.flatMap((block) => (block.type === 'tool_response' && block.result === PRUNED_RESULT ? [block.callId] : [])),
  );
}

describe('a working set', () => {
  test('is read in a run: using one of its files counts as using all', () => {
    const work = [read('a.ts'), read('b.ts'), quiet(1), read('c.ts'), quiet(5), edit('b.ts'), quiet(4)];
    expect(replaced(work, 0)).toEqual(['r-a.ts', 'r-c.ts']);
    expect(replaced(work, 2)).toEqual([]);
    expect(replaced([...work, quiet(4)], 2)).toEqual(['r-a.ts', 'r-b.ts', 'r-c.ts']);
  });

  test('ends where more model calls than that are between two reads', () => {
    const work = [read('a.ts'), quiet(2), read('b.ts'), quiet(5), edit('b.ts'), quiet(4)];
    expect(replaced(work, 2)).toEqual(['r-a.ts']);
    expect(replaced(work, 3)).toEqual([]);
  });

  test('is used by another read of one of its files, in a later set too', () => {
    const work = [read('a.ts'), read('b.ts'), quiet(5)];
    expect(replaced([...work, exchange('again', 'Read', { file_path: 'a.ts' }, { result: 'y' }), quiet(4)], 1)).toEqual(
      [],
    );
    expect(replaced([...work, quiet(5)], 1)).toEqual(['r-a.ts', 'r-b.ts']);
  });

  test.each([
    ['its files', [read('a.ts'), quiet(1), read('b.ts'), quiet(5), read('b.ts'), quiet(3)]],
    ['a link', [read('a.ts'), quiet(1), read('b.ts'), quiet(1), read('c.ts'), quiet(5), edit('c.ts'), read('b.ts')]],
  ])('loses %s with a read that is removed at once, not only at the next run', (_what, parts) => {
    // Beside their calls the agent says something, so that no entry goes away and all are as far apart as before.
    const history = parts
      .flat()
      .map(
        (entry): IContent =>
          entry.speaker === 'ai' ? { ...entry, blocks: [{ type: 'text', text: 'on' }, ...entry.blocks] } : entry,
      );
    const rules = { ...RULES, workingSetCalls: 2, supersededReads: true };
    const once = pruned(history, rules);
    expect(once).not.toEqual(history);
    expect(pruned(once, rules)).toEqual(once);
  });
});

describe('a result that shows files', () => {
  test('has a budget for each of its files', () => {
    const both = command('both', 'cat a.ts b.ts', LONG.repeat(2));
    expect(replaced([both, quiet(7)], 0, codex)).toEqual([]);
    expect(replaced([both, quiet(8)], 0, codex)).toEqual(['both']);
  });

  test('is kept as long as a read if the command does more than read', () => {
    expect(replaced([command('mixed', 'cat a.ts; npm test'), quiet(7)], 0, codex)).toEqual([]);
    expect(replaced([command('mixed', 'cat a.ts; npm test'), quiet(8)], 0, codex)).toEqual(['mixed']);
    expect(replaced([command('test', 'npm test'), quiet(7)], 0, codex)).toEqual(['test']);
  });

  test.each([
    'foreach ($file in "a.ts", "b.ts") { Get-Content $file }',
    '$lines = Get-Content a.ts; $lines[10..40]',
    'Get-Content a.ts | ForEach-Object { "{0}: {1}" -f $i++, $_ }',
  ])('stays if nobody can say which files PowerShell shows: %s', (script) => {
    expect(replaced([command('unknown', script), quiet(99)], 0, codex)).not.toContain('unknown');
  });
});
