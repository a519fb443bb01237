import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { agentTextAt } from '../../../../src/content/agent-text/agent-text.ts';
import { blockTexts, textLength } from '../../../../src/content/block-text.ts';
import type { ContentBlock, IContent } from '../../../../src/content/content.ts';
import { claudeCode } from '../../../../src/content/vocabularies/claude-code.ts';
import { RECOMMENDED_CONFIG } from '../../../../src/live/turn/recommended-config.ts';
import type { DensityRules } from '../../../../src/strategies/contract.ts';
import { HighDensityStrategy } from '../../../../src/strategies/high-density/high-density.ts';
import { optimizePlainly } from '../../../../src/strategies/high-density/optimize-plainly.ts';
import { type EditRule, explainReason } from '../../../../src/strategies/reasons/edit-reason.ts';
import {
  changedFile,
  codexSkill,
  fileLines,
  reminder,
  skillBody,
  subagentReport,
  taskReport,
} from '../../../agent-texts.ts';
import { applied } from '../../../contracts/strategy.ts';
import { ai, call, exchange, human, response, tool } from '../../conversation.ts';

const REPORTS = 4;
const SKILLS = 5;
const RULES: Partial<DensityRules> = { attachedReads: true, reportCalls: REPORTS, skillCalls: SKILLS };
const configOf = (rules: Partial<DensityRules> = RULES) => ({
  readWritePruning: true,
  fileDedupe: false,
  recencyPruning: false,
  workspaceRoot: '/repo',
  rules,
});
const prune = (history: readonly IContent[], rules?: Partial<DensityRules>) =>
  optimizePlainly(history, configOf(rules), { vocabulary: claudeCode });
const talks = (count: number): IContent[] => Array.from({ length: count }, (_, at) => ai(`Answer ${at}.`));
const textAt = (history: readonly IContent[], entry: number): string => {
  const [block] = history[entry]!.blocks;
  return block?.type === 'text' ? block.text : '';
};
/** The text of an entry after the rules. */
const left = (history: readonly IContent[], entry: number, rules?: Partial<DensityRules>): string =>
  textAt(applied(history, prune(history, rules)), entry);

describe('the report of a sub-agent', () => {
  const start = exchange('task', 'Agent', { prompt: 'Look' });
  const history = (count: number, report = taskReport('Look')): IContent[] => [
    human('Start.'),
    ...start,
    human(report),
    ...talks(count),
  ];

  test('is shortened after it was sent so often: its first whole lines stay, then a marker on its own line', () => {
    expect(prune(history(REPORTS - 1)).edits).toEqual([]);
    const text = left(history(REPORTS), 3);
    expect(text).toMatch(
      /^<task-notification>\n[\s\S]*<result>Look, finding 1: it is said in a whole line\n(?:Look, finding \d: .*\n)+⟦density: \d+ lines of a report left out⟧\n<\/result>\n<usage>9<\/usage>\n<\/task-notification>$/,
    );
    const [edit] = prune(history(REPORTS)).edits!;
    expect(explainReason(edit!.reason, { call: () => '' })).toBe('it was sent with at least 4 model calls');
  });

  test('of Codex stays JSON', () => {
    const text = left(history(REPORTS, subagentReport('look')), 3);
    const json = /^<subagent_notification>\n(.*)\n<\/subagent_notification>$/.exec(text)?.[1];
    expect(JSON.parse(json!)).toEqual({
      agent_path: 'look',
      status: {
        completed: expect.stringMatching(/^look, finding 1: .*\n[\s\S]*\n⟦density: \d+ lines of a report left out⟧$/),
      },
    });
  });

  test('stays while it is short, or its tool is protected', () => {
    const short = history(REPORTS, taskReport('Look', { count: 12 }));
    expect(left(short, 3)).toBe(textAt(short, 3));
    const rules = { ...RULES, protectedTools: ['Agent'] };
    expect(left(history(REPORTS), 3, rules)).toBe(taskReport('Look'));
    const unknown = history(REPORTS, taskReport('Look', { callId: 'nobody' }));
    expect(left(unknown, 3, rules)).toBe(textAt(unknown, 3));
    expect(left(history(REPORTS), 3, { ...RULES, protectedTools: ['Bash'] })).not.toBe(taskReport('Look'));
  });

  test('stays whole in the words of a person', () => {
    const pasted = history(REPORTS, `Look at this: ${taskReport('Look')}`);
    expect(left(pasted, 3)).toBe(textAt(pasted, 3));
  });
});

describe('the body of a skill', () => {
  const FOLDER = '/home/dev/.claude/skills/golang';
  const history = (...after: IContent[]): IContent[] => [
    human('Start.'),
    ai(call('s', 'Skill', { skill: 'golang' })),
    tool(response('s', 'Skill')),
    human(skillBody(FOLDER)),
    ...after,
  ];

  test('is shortened once no call used it for so long', () => {
    expect(prune(history(...talks(SKILLS - 1))).edits).toEqual([]);
    expect(left(history(...talks(SKILLS)), 3)).toMatch(
      /^Base directory for this skill: .*golang\n\n# A skill\n[\s\S]*\n⟦density: \d+ lines of a skill left out⟧$/,
    );
    const codex = [human('Start.'), human(codexSkill(FOLDER)), ...talks(SKILLS)];
    expect(left(codex, 1)).toMatch(/^<skill>\n[\s\S]*\n⟦density: .*⟧\n<\/skill>$/);
  });

  test.each([
    ['reads one of its files', 'Read', { file_path: `${FOLDER}/more.md` }],
    ['names one in a script', 'Bash', { command: 'cat .claude\\skills\\golang\\more.md' }],
    ['asks for it again', 'Skill', { skill: 'plugin:golang' }],
  ])('stays while a call %s', (_, name, parameters) => {
    const again = [...talks(SKILLS), ...exchange('again', name, parameters)];
    expect(left(history(...again, ...talks(SKILLS - 1)), 3)).toBe(skillBody(FOLDER));
    expect(left(history(...again, ...talks(SKILLS)), 3)).not.toBe(skillBody(FOLDER));
  });

  test('stays if its folder or the tool is protected', () => {
    for (const rules of [{ protectedPaths: ['skills'] }, { protectedTools: ['Skill'] }])
      expect(left(history(...talks(SKILLS)), 3, { ...RULES, ...rules })).toBe(skillBody(FOLDER));
  });
});

describe('a file that the agent attached', () => {
  const careful = { ...RULES, partialEdits: 'keep-lines', supersededReads: true } as const;
  const attached = reminder(changedFile('/repo/a.ts', fileLines('a')));
  const history = (...after: IContent[]): IContent[] => [human('Start.'), ai('Yes.'), human(attached), ...after];
  const SENTENCE =
    /^<system-reminder>\nNote: \/repo\/a\.ts changed on disk [^\n]*\n⟦density: 60 lines of the file left out⟧\n<\/system-reminder>$/;

  test('is a read: it goes when its lines are read again, and the sentence that says who changed it stays', () => {
    const again = exchange('r', 'Read', '/repo/a.ts', { result: fileLines('a') });
    expect(left(history(...again), 2, careful)).toMatch(SENTENCE);
    expect(left(history(...again), 2, { ...careful, protectedPaths: ['a.ts'] })).toBe(attached);
    expect(left(history(...exchange('r', 'Read', '/repo/b.ts', { result: fileLines('a') })), 2, careful)).toBe(
      attached,
    );
  });

  test('shows lines of earlier reads again', () => {
    const read = exchange('r', 'Read', '/repo/a.ts', { result: fileLines('a') });
    const result = prune([human('Start.'), ...read, human(attached), ai('Yes.')], careful);
    expect(result.removals).toEqual([1, 2]);
  });

  test('loses the lines that were changed since', () => {
    const before = Array.from({ length: 30 }, (_, at) => `line ${at + 1} of the file a`).join('\n');
    const edit = exchange('e', 'Edit', { file_path: '/repo/a.ts', old_string: before, new_string: 'one line' });
    expect(left(history(...edit), 2, careful)).toMatch(/line numbers\):\n\[30 lines pruned: .*\]\n31\tline 31 of/);
  });

  test('goes once its tokens cost too much since its file was used last', () => {
    expect(left(history(...talks(3)), 2, { ...careful, carriedTokens: 4_000 })).toBe(attached);
    expect(left(history(...talks(12)), 2, { ...careful, carriedTokens: 4_000 })).toMatch(SENTENCE);
  });
});

const WORDS = ['Go on.', 'Look at <task-notification> in the log.', `Pasted: ${taskReport('Other')}`];
const SKILL = '/skills/one';
const SETTINGS: Partial<DensityRules>[] = [
  { ...RECOMMENDED_CONFIG.rules, ...RULES, carriedTokens: 600, protectedTools: [] },
  { ...RULES, partialEdits: 'keep-lines', supersededReads: true },
  { ...RULES, partialEdits: 'keep-last', repeatedLines: 4, protectedPaths: ['b.ts'] },
];

/** What happens in a turn: a call, then what stands in the user turn after its result. */
const step = fc.record({
  tool: fc.constantFrom('Read', 'Edit', 'Write', 'Bash', 'Skill', 'none'),
  file: fc.constantFrom('/repo/a.ts', '/repo/b.ts'),
  texts: fc.subarray(['task', 'codex', 'typed', 'changed', 'recorded', 'words'], { maxLength: 2 }),
});
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

function textsOf({ file, texts }: Step, at: number): IContent[] {
  const version = fileLines(`${file} ${at % 3 === 0 ? at : 0}`);
  return texts.map((kind): IContent => {
    switch (kind) {
      case 'task':
        return human(taskReport(`Task ${at % 4}`, { callId: `c${at}` }));
      case 'codex':
        return human(subagentReport(`agent ${at % 4}`));
      case 'typed':
        return human(skillBody(SKILL));
      case 'changed':
        return human(reminder(changedFile(file, version)));
      case 'recorded':
        return { ...human(version), metadata: { attachedFile: file, synthetic: true } };
      default:
        return human(WORDS[at % WORDS.length]!);
    }
  });
}

function entriesOf(one: Step, at: number): IContent[] {
  const { tool: name, file } = one;
  const parameters: Readonly<Record<Step['tool'], object>> = {
    Read: { file_path: file },
    Edit: { file_path: file, old_string: fileLines(`${file} 0`, 12).replace(/^\d+\t/gm, ''), new_string: 'else' },
    Write: { file_path: file, content: 'short' },
    Bash: { command: at % 2 === 0 ? 'ls' : `ls ${SKILL}` },
    Skill: { skill: 'one' },
    none: {},
  };
  const result = name === 'Read' ? fileLines(`${file} 0`) : 'Done.';
  const work = name === 'none' ? [ai(`Answer ${at}.`)] : exchange(`c${at}`, name, parameters[name], { result });
  const body = name === 'Skill' ? [human(skillBody(SKILL))] : [];
  return [...work, ...body, ...textsOf(one, at)];
}

const conversation = fc.record({
  steps: fc.array(step, { minLength: 4, maxLength: 24, size: 'max' }),
  rules: fc.constantFrom(...SETTINGS),
});

/** The texts that are the agent's, and the part of each that may be left out. */
function mayChange(history: readonly IContent[], entry: number, block: number): boolean {
  return agentTextAt(history, entry, block) !== undefined;
}

const textOf = (block: ContentBlock | undefined): string => (block?.type === 'text' ? block.text : '');

describe('laws', () => {
  test('never larger, only the texts of agents, all around them byte for byte, and a second run finds nothing', () => {
    const seen = new Set<EditRule>();
    fc.assert(
      fc.property(conversation, ({ steps, rules }) => {
        const history = [human('Start.'), ...steps.flatMap(entriesOf)];
        const result = prune(history, rules);
        for (const [index, after] of result.replacements)
          expect(textLength(after)).toBeLessThan(textLength(history[index]!));
        for (const { entry, block, kind, reason } of result.edits!) {
          seen.add(reason.rule);
          if (history[entry]!.speaker !== 'human') continue;
          expect([kind, mayChange(history, entry, block)]).toEqual(['replace', true]);
          const text = agentTextAt(history, entry, block)!;
          const [before, after] = [history[entry]!, result.replacements.get(entry)!].map(({ blocks }) =>
            textOf(blocks[block]),
          );
          expect(after!.startsWith(before!.slice(0, text.start))).toBe(true);
          expect(after!.endsWith(before!.slice(text.end))).toBe(true);
          expect(after).toMatch(/⟦density: [^⟧]* left out⟧|\[\d+ lines pruned: /);
        }
        const once = applied(history, result);
        const again = prune(once, rules);
        expect(again.edits!.filter(({ entry }) => once[entry]!.speaker === 'human')).toEqual([]);
      }),
      { numRuns: 100 },
    );
    expect([...seen]).toEqual(
      expect.arrayContaining(['oldReport', 'unusedSkill', 'supersededRead', 'changedLines', 'carriedResult']),
    );
  });

  test('the incremental optimiser finds at each step what one finds that sees the history for the first time', () => {
    fc.assert(
      fc.property(conversation, fc.boolean(), ({ steps, rules }, applies) => {
        const incremental = new HighDensityStrategy({ vocabulary: claudeCode });
        let history: IContent[] = [human('Start.')];
        for (const [at, one] of steps.entries()) {
          history = [...history, ...entriesOf(one, at)];
          const fast = incremental.optimize(history, configOf(rules));
          const plain = prune(history, rules);
          if (!isDeepStrictEqual(fast, plain)) expect(fast).toEqual(plain);
          if (applies && at % 3 === 2) history = applied(history, plain);
        }
      }),
    );
  });

  test('every line that a reader sees is one that was written, or says what is left out', () => {
    fc.assert(
      fc.property(conversation, ({ steps, rules }) => {
        const history = [human('Start.'), ...steps.flatMap(entriesOf)];
        const written = new Set(
          history.flatMap(({ blocks }) => blocks.flatMap(blockTexts).flatMap((text) => text.split('\n'))),
        );
        const shown = applied(history, prune(history, rules))
          .filter(({ speaker }) => speaker === 'human')
          .flatMap(({ blocks }) => blocks.flatMap(blockTexts).flatMap((text) => text.split(/\n|\\n/)));
        const isWhole = (line: string): boolean =>
          written.has(line) ||
          /⟦density: .*⟧|^\[\d+ lines pruned: |^<\/result>$/.test(line) ||
          [...written].some((one) => one.includes(line));
        expect(shown.filter((line) => !isWhole(line))).toEqual([]);
      }),
    );
  });
});
