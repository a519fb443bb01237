import { expect, test } from 'vitest';
import type { IContent } from '../../../../src/content/content.ts';
import { claudeCode } from '../../../../src/content/vocabularies/claude-code.ts';
import { codex } from '../../../../src/content/vocabularies/codex.ts';
import { gemini } from '../../../../src/content/vocabularies/gemini.ts';
import { opencode } from '../../../../src/content/vocabularies/opencode.ts';
import { pi } from '../../../../src/content/vocabularies/pi.ts';
import type { ToolVocabulary } from '../../../../src/content/vocabularies/vocabulary.ts';
import { RECOMMENDED } from '../../../../src/settings/recommended.ts';
import { createEphemerals } from '../../../../src/settings/resolve.ts';
import { optimizePlainly } from '../../../../src/strategies/high-density/optimize-plainly.ts';
import { ALL_OFF, ai, exchange } from '../../conversation.ts';

const long = (id: string): string =>
  Array.from({ length: 2000 }, (_, at) => `finding ${at} of sub-agent ${id}`).join('\n');
const quiet = (calls: number): IContent[] => Array.from({ length: calls }, () => ai('on'));
const rules = createEphemerals([RECOMMENDED], { model: 'claude-sonnet-4-5' }).densityRules!()!;

/** Edits of a result that was asked for twice, is large, was left alone for long, and whose cached prefix is lost. */
function edits(tool: string, parameters: unknown, vocabulary: ToolVocabulary): number {
  const again = (id: string): IContent[] => exchange(id, tool, parameters, { result: long(id) });
  const history = [...again('1'), ...quiet(100), ...again('2'), ...quiet(100), ...again('3')];
  const config = { ...ALL_OFF, readWritePruning: true, rules, isCold: true };
  return optimizePlainly(history, config, { vocabulary }).edits!.length;
}

const TASK = { description: 'Look', prompt: 'Look for the cause', subagent_type: 'explore' };

const CASES: readonly (readonly [ToolVocabulary, tool: string, parameters: object])[] = [
  [claudeCode, 'Task', TASK],
  [claudeCode, 'Agent', TASK],
  [claudeCode, 'Skill', { skill: 'release', args: 'now' }],
  [codex, 'spawn_agent', { message: 'Look', agent_type: 'explorer' }],
  [codex, 'wait_agent', { ids: ['a'], timeout_ms: 9 }],
  [codex, 'close_agent', { id: 'a' }],
  [gemini, 'activate_skill', { name: 'release' }],
  [gemini, 'codebase_investigator', { objective: 'Look' }],
  [opencode, 'task', TASK],
  [opencode, 'skill', { name: 'release' }],
  [pi, 'subagent', { agent: 'scout', task: 'Look' }],
];

test.each(CASES.map(([vocabulary, tool, parameters]) => ({ vocabulary, tool, parameters })))(
  '`recommended` never removes the result of $tool of $vocabulary.name',
  ({ vocabulary, tool, parameters }) => {
    expect(edits(tool, parameters, vocabulary)).toBe(0);
  },
);

test('`recommended` removes the result of a command in the same place', () => {
  expect(edits('Bash', { command: 'npm test' }, claudeCode)).toBe(2);
});
