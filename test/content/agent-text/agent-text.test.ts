import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { agentTextAt } from '../../../src/content/agent-text/agent-text.ts';
import type { ContentMetadata, IContent } from '../../../src/content/content.ts';
import {
  changedFile,
  codexSkill,
  fileLines,
  reminder,
  skillBody,
  subagentReport,
  taskReport,
  taskReports,
} from '../../agent-texts.ts';

const human = (text: string, metadata?: ContentMetadata): IContent => ({
  speaker: 'human',
  blocks: [{ type: 'text', text }],
  ...(metadata && { metadata }),
});
const SKILL_RESULT: IContent = {
  speaker: 'tool',
  blocks: [{ type: 'tool_response', callId: 's', toolName: 'Skill', result: 'Launching skill: one' }],
};
const ANSWER: IContent = { speaker: 'ai', blocks: [{ type: 'text', text: 'Yes.' }] };

const found = (text: string, before: readonly IContent[] = [], metadata?: ContentMetadata) =>
  agentTextAt([...before, human(text, metadata)], before.length, 0);
/** The part that may be left out. */
const partOf = (text: string, before: readonly IContent[] = [], metadata?: ContentMetadata): string | undefined => {
  const own = found(text, before, metadata);
  return own && text.slice(own.start, own.end);
};

/** The texts that count as the agent's in the message of a user, each with what stands before it. */
const WHOLE: readonly (readonly [text: string, before: readonly IContent[]])[] = [
  ...taskReports('Look').map((text) => [text, []] as const),
  [subagentReport('look'), []],
  [skillBody('/skills/one'), [SKILL_RESULT]],
  [codexSkill('/skills/one'), []],
  [reminder(changedFile('/a.ts', fileLines('a'))), []],
  [reminder(changedFile('C:\\a b.ts', fileLines('a'), 'before')), []],
];

describe('what an agent put into a user turn', () => {
  test('is the words of a sub-agent, the body of a skill, the lines of a file', () => {
    for (const report of taskReports('Look')) {
      expect(found(report)).toMatchObject({ kind: 'report', callId: 'task' });
      expect(partOf(report)).toMatch(/^Look, finding 1: .*\n[\s\S]*whole line$/);
    }
    expect(partOf(subagentReport('look'))).toMatch(/^look, finding 1: .*\\"quoted\\" \\\\n$/);
    expect(found(skillBody('/skills/one'), [SKILL_RESULT])).toMatchObject({ kind: 'skill', folder: '/skills/one' });
    expect(found(codexSkill('C:\\skills'))).toMatchObject({ kind: 'skill' });
    for (const said of ['now', 'before'] as const) {
      const text = reminder(changedFile('/with space/a.ts', fileLines('a'), said));
      expect(found(text)).toMatchObject({ kind: 'file', file: '/with space/a.ts' });
      expect(partOf(text)).toBe(fileLines('a'));
    }
  });

  test.each(WHOLE)('is nothing of a person: any character beside it, and it is theirs (%#)', (text, before) => {
    expect(found(text, before)).toBeDefined();
    const isAfter = (): fc.Arbitrary<boolean> => (text.startsWith('Base') ? fc.constant(false) : fc.boolean());
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 9 }), isAfter(), (words, after) => {
        fc.pre(after ? words.trim() !== '' : true);
        expect(found(after ? text + words : words + text, before)).toBeUndefined();
      }),
    );
  });

  test('is nothing in an answer, in a result, or in a summary', () => {
    for (const [text, before] of WHOLE) {
      for (const speaker of ['ai', 'tool'] as const)
        expect(agentTextAt([...before, { ...human(text), speaker }], before.length, 0)).toBeUndefined();
      expect(found(text, before, { isSummary: true })).toBeUndefined();
    }
  });

  test('is no body of a skill whose name a person typed: their words may be in it', () => {
    expect(found(skillBody('/skills/one'))).toBeUndefined();
    expect(found(skillBody('/skills/one'), [SKILL_RESULT, ANSWER])).toBeUndefined();
  });

  test('is no report of several, or that quotes another: nobody knows where it ends', () => {
    const two = `${taskReport('One')}\n${taskReport('Two')}`;
    expect(found(two)).toBeUndefined();
    expect(found(two, [], { isSystemMessage: true })).toBeUndefined();
    expect(found(taskReport(`quotes ${taskReport('Other')}`))).toBeUndefined();
  });

  test('may stand among other words of the agent, where all of them are its own', () => {
    const tokens = '\n\n<total_tokens>99 tokens left</total_tokens>';
    expect(partOf(`Notice\n\n${taskReport('Look')}${tokens}`, [], { isSystemMessage: true })).toMatch(
      /^Look, finding 1/,
    );
    const changed = `Other reminders.\n\n${changedFile('/a.ts', fileLines('a'))}${tokens}`;
    expect(partOf(changed, [], { isSystemMessage: true })).toBe(fileLines('a'));
    expect(found(changed)).toBeUndefined();
  });

  test('is the whole text where a recording names the file', () => {
    expect(partOf(fileLines('a'), [], { attachedFile: '/a.ts' })).toBe(fileLines('a'));
  });
});
