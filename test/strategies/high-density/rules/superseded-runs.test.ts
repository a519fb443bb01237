import { describe, expect, test } from 'vitest';
import type { IContent } from '../../../../src/content/content.ts';
import { PRUNED_RESULT } from '../../../../src/content/pruned-result.ts';
import { claudeCode } from '../../../../src/content/vocabularies/claude-code.ts';
import { codex } from '../../../../src/content/vocabularies/codex.ts';
import { optimizePlainly } from '../../../../src/strategies/high-density/optimize-plainly.ts';
import { explainReason } from '../../../../src/strategies/reasons/edit-reason.ts';
import { SPECIFIED_RULES } from '../../../../src/strategies/settings/rule-settings.ts';
import { applied } from '../../../contracts/strategy.ts';
import { ALL_OFF, exchange } from '../../conversation.ts';

const LONG = 'a failure of a test\n'.repeat(20);
const run = (id: string, command: string, more: object = {}): IContent[] =>
  exchange(id, 'Bash', { command, ...more }, { result: LONG });
const rules = { ...SPECIFIED_RULES, supersededRuns: true };

/** The ids of the calls whose results are replaced. */
function replaced(parts: readonly IContent[][], more: Partial<typeof rules> = {}, vocabulary = claudeCode): string[] {
  const history = parts.flat();
  const result = optimizePlainly(history, { ...ALL_OFF, rules: { ...rules, ...more } }, { vocabulary });
  return applied(history, result).flatMap(({ blocks }) =>
    blocks.flatMap((block) => (block.type === 'tool_response' && block.result === PRUNED_RESULT ? [block.callId] : [])),
  );
}

describe('the result of a command', () => {
  test('goes once the same command was run again, however it was described', () => {
    const parts = [run('1', 'npm test', { description: 'Run' }), run('2', 'ls'), run('3', 'npm test', { timeout: 9 })];
    expect(replaced(parts)).toEqual(['1']);
    expect(replaced(parts, { supersededRuns: false })).toEqual([]);
    expect(replaced(parts, { protectedTools: ['Bash'] })).toEqual([]);
    expect(SPECIFIED_RULES.supersededRuns).toBe(false);
    const { edits } = optimizePlainly(parts.flat(), { ...ALL_OFF, rules }, { vocabulary: claudeCode });
    expect(explainReason(edits![0]!.reason, { call: ({ callId }) => `call ${callId}` })).toBe(
      'the same command was run again by call 3',
    );
  });

  test.each([
    ['failed', { error: 'exit code 1', result: LONG }],
    ['said much less', { result: 'ok' }],
    ['was cleared', { result: PRUNED_RESULT }],
  ])('stays if the later run %s', (_what, more) => {
    const later = exchange('2', 'Bash', { command: 'npm test' }, more);
    expect(replaced([run('1', 'npm test'), later]).filter((id) => id === '1')).toEqual([]);
  });

  test('stays if another command was run, or the result shows a file', () => {
    expect(replaced([run('1', 'npm test'), run('2', 'npm test -- a')])).toEqual([]);
    expect(replaced([run('1', 'cat /repo/a.ts'), run('2', 'cat /repo/a.ts')])).toEqual([]);
  });

  test('stays if the shell may be in another folder', () => {
    expect(replaced([run('1', 'npm test'), run('2', 'cd sub'), run('3', 'npm test')])).toEqual([]);
    const anywhere = 'cd /repo && npm test';
    expect(replaced([run('1', anywhere), run('2', 'cd sub'), run('3', anywhere)])).toEqual(['1']);
    const inFolder = (id: string, workdir: string): IContent[] =>
      exchange(id, 'shell_command', { command: 'npm test', workdir }, { result: LONG });
    expect(replaced([inFolder('1', '/a'), inFolder('2', '/b'), inFolder('3', '/a')], {}, codex)).toEqual(['1']);
  });
});
