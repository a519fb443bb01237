import { describe, expect, test } from 'vitest';
import type { IContent } from '../../../src/content/content.ts';
import { fileAccess } from '../../../src/content/files/file-access.ts';
import { liveHistory } from '../../../src/formats/contract.ts';
import { copilotCli } from '../../../src/formats/copilot-cli/copilot-cli.ts';
import { historyOf, rewritten } from '../../contracts/format.ts';
import { copilotCliSample } from '../copilot-cli-fixture.ts';
import { session, steps, words } from '../words.ts';

const [calls = '', compacted = '', skilled = ''] = copilotCliSample.texts;

interface Event {
  readonly id: string;
  readonly parentId: string | null;
  readonly type: string;
  readonly data: Record<string, unknown>;
}

const eventsOf = (text: string): Event[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Event);

/** Events that hang on something else than the event before them. */
const loose = (text: string): string[] =>
  eventsOf(text).flatMap(({ id, parentId }, index, all) => (parentId === (all[index - 1]?.id ?? null) ? [] : id));

describe('sessions of Copilot CLI', () => {
  test('name the session, its folder, model and prompt', () => {
    expect(session(copilotCli, calls)).toMatchObject({
      id: 'session-1',
      model: 'model-y',
      workspaceRoot: '/repo/demo',
      systemText: 'You help in a terminal.',
    });
  });

  test('are what was sent: transformed words, notices, contents of results; sub-agents are apart', () => {
    expect(words(historyOf(copilotCli, calls))).toEqual([
      'human <now>noon</now>\n\nFix a.ts ✗',
      'ai thinking + I read. + view {"path":"a.ts","view_range":[1,2]} + bash {"command":"make"}',
      'tool 1. a',
      'tool (make: stopped) no rule',
      'human <system_notification>\nA shell ended.\n</system_notification>',
      'ai apply_patch "*** Begin Patch\\n*** Update File: a.ts\\n*** End Patch"',
      'tool Done',
      'ai Fixed.',
      'human And this? + media',
    ]);
  });

  test('have the text of a skill that an event refers to', () => {
    const text = '<skill-context name="rules">\nRule 1: test first. ✗\n</skill-context>';
    expect(words(historyOf(copilotCli, skilled)).slice(2)).toEqual([
      'tool Skill "rules" loaded.',
      `human ${text}`,
      'ai I test first.',
    ]);
  });

  test('spell a skill out where its text changes: it has another name then', () => {
    const changed = historyOf(copilotCli, skilled).map(
      (entry, at): IContent => (at === 3 ? { ...entry, blocks: [{ type: 'text', text: 'Test.' }] } : entry),
    );
    const written = rewritten(copilotCli, skilled, changed);
    expect(eventsOf(written)[6]).toMatchObject({
      type: 'user.message',
      data: { content: 'Test.', source: 'skill-rules' },
    });
    expect(words(historyOf(copilotCli, written))).toEqual(words(changed));
  });

  test('replace the entries before a compaction by it, and remove the events before a rewind', () => {
    expect(steps(session(copilotCli, compacted).events)).toEqual([
      'human Old.',
      'ai Old answer.',
      'human Meanwhile.',
      ['human Something old.', 'human Meanwhile.'],
      'ai Taken back.',
      ['human Something old.', 'human Meanwhile.'],
      'ai bash {"command":"sleep 1000"}',
    ]);
    expect(liveHistory(session(copilotCli, compacted))[0]?.metadata?.isSummary).toBe(true);
  });

  test('name the files that a patch as raw text writes', () => {
    const call = historyOf(copilotCli, calls)[5]?.blocks[0];
    expect(call?.type === 'tool_call' && fileAccess(call, copilotCli.vocabulary, '/repo/demo').writes).toEqual([
      '/repo/demo/a.ts',
    ]);
  });

  test('are one chain after calls and their lines are removed and entries are added', () => {
    const history = historyOf(copilotCli, calls);
    const added: IContent = { speaker: 'human', blocks: [{ type: 'text', text: 'New.' }] };
    const rest = history.filter(({ metadata }) => !['event-14', 'event-16'].includes(String(metadata?.id)));
    for (const after of [rest, [added, ...rest], [...rest, added], [...history.slice(0, 4), added, ...rest.slice(4)]]) {
      const written = rewritten(copilotCli, calls, after);
      expect(loose(written)).toEqual([]);
      expect(words(historyOf(copilotCli, written))).toEqual(words(after));
    }
    const written = rewritten(copilotCli, calls, rest);
    expect(written).not.toContain('call_3');
    expect(
      eventsOf(written)
        .map(({ type }) => type)
        .filter((type) => type.startsWith('hook')),
    ).toEqual(['hook.start']);
  });

  test('change what is sent and leave what the screen shows', () => {
    const shorter = historyOf(copilotCli, calls).map((entry) => ({
      ...entry,
      blocks: entry.blocks.map((block) => (block.type === 'tool_response' ? { ...block, result: 'gone' } : block)),
    }));
    const [first, second] = eventsOf(rewritten(copilotCli, calls, shorter)).filter(
      ({ type }) => type === 'tool.execution_complete',
    );
    expect(first?.data['result']).toEqual({ content: 'gone', detailedContent: 'diff of a' });
    expect(second?.data['error']).toEqual({ message: 'make: stopped\ngone', code: 'failure' });
  });
});
