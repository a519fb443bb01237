import { describe, expect, test } from 'vitest';
import type { IContent } from '../../src/content/content.ts';
import { llxprt } from '../../src/content/vocabularies/llxprt.ts';
import { liveHistory } from '../../src/formats/contract.ts';
import { exampleSession } from '../../src/sessions/example-session.ts';
import { type Inspection, inspectHistory } from '../../src/sessions/inspection.ts';
import { optimizeConfig } from '../../src/sessions/prunable.ts';
import { RECOMMENDED } from '../../src/settings/recommended.ts';
import { createEphemerals } from '../../src/settings/resolve.ts';
import { entryCounter } from '../../src/tokens/entries/block-counter.ts';
import { changedFile, codexSkill, fileLines, reminder, taskReport } from '../agent-texts.ts';
import { fileText, MODEL, SessionBuilder } from '../replay/sessions.ts';

const optimize = optimizeConfig(createEphemerals([RECOMMENDED], { model: MODEL }));
const SPECIFIED = optimizeConfig(createEphemerals([], { model: MODEL }));
const countEntry = entryCounter(MODEL);
const inspected = (history: readonly IContent[]): Inspection =>
  inspectHistory(history, { vocabulary: llxprt, workspaceRoot: '/project', model: MODEL, optimize });
const sum = (parts: readonly { readonly tokens: number }[]): number =>
  parts.reduce((total, { tokens }) => total + tokens, 0);

describe('an inspection', () => {
  test('divides all tokens among speakers and kinds, largest first', () => {
    const history = liveHistory(exampleSession());
    const { tokens, byKind, entries } = inspected(history);
    expect(entries).toBe(history.length);
    expect(tokens).toBe(history.reduce((total, entry) => total + countEntry(entry), 0));
    expect(sum(byKind)).toBe(tokens);
    expect(byKind.map((kind) => kind.tokens)).toEqual([...byKind.map((kind) => kind.tokens)].sort((a, b) => b - a));
    expect(byKind[0]?.name).toBe('tools: tool results');
  });

  test('shows what the provider counted of an answer beyond its recorded text', () => {
    const usage = { promptTokens: 9, completionTokens: 500, totalTokens: 509 };
    const answer: IContent = { speaker: 'ai', blocks: [{ type: 'text', text: 'Done.' }], metadata: { usage } };
    const options = { vocabulary: llxprt, workspaceRoot: '/project', model: 'claude-opus-5', optimize };
    const { tokens, byKind } = inspectHistory([answer], options);
    expect(tokens).toBe(500);
    expect(byKind.map(({ name }) => name)).toEqual(['model: thinking, not in the file', 'model: text']);
    expect(sum(byKind)).toBe(tokens);
  });

  test('gives a tool its calls and their responses', () => {
    const builder = new SessionBuilder();
    const { call, response } = builder.tool('read_file', { absolute_path: '/project/a.ts' }, fileText('a', 9));
    const { byTool } = inspected(liveHistory(builder.session()));
    expect(byTool).toEqual([{ name: 'read_file', tokens: countEntry(call) + countEntry(response), count: 1 }]);
  });

  test('gives files what is read and written of them, and divides a call of several', () => {
    const builder = new SessionBuilder();
    builder.tool('read_file', { absolute_path: 'a.ts' }, fileText('a', 9));
    builder.tool('replace', { file_path: '/project/a.ts', old_string: 'x', new_string: 'y' }, 'ok');
    const many = builder.tool('read_many_files', { paths: ['b.ts', 'c.ts'] }, fileText('b', 60));
    const { byFile } = inspected(liveHistory(builder.session()));
    expect(byFile.map(({ path, reads, writes }) => [path, reads, writes])).toEqual([
      ['/project/b.ts', 1, 0],
      ['/project/c.ts', 1, 0],
      ['/project/a.ts', 1, 1],
    ]);
    expect(byFile[0]?.tokens).toBe(Math.round((countEntry(many.call) + countEntry(many.response)) / 2));
  });

  test('names the ten largest entries by tool and file', () => {
    const builder = new SessionBuilder();
    for (let file = 1; file <= 12; file++) {
      builder.tool('read_file', { absolute_path: `/project/${file}.ts` }, fileText('a', file));
    }
    const { largest } = inspected(liveHistory(builder.session()));
    expect(largest).toHaveLength(10);
    expect(largest[0]).toMatchObject({ position: 24, speaker: 'tool', label: 'read_file /project/12.ts' });
  });

  test('finds what the rules in force remove: by those of the specification stale reads and repeated attachments', () => {
    const builder = new SessionBuilder();
    const attached = `--- a.ts ---\n${fileText('a', 9)}\n--- End of content ---`;
    builder.human(attached);
    const stale = builder.tool('read_file', { absolute_path: 'b.ts' }, fileText('b', 9));
    builder.tool('write_file', { file_path: 'b.ts', content: 'x' }, 'ok');
    builder.human(attached);
    const history = liveHistory(builder.session());
    const reading = { vocabulary: llxprt, workspaceRoot: '/project', model: MODEL, optimize: SPECIFIED };
    const { removals, removableTokens } = inspectHistory(history, reading);
    expect(removals.readWritePairs).toEqual({ count: 1, tokens: countEntry(stale.call) + countEntry(stale.response) });
    expect(removals.fileInclusions.count).toBe(1);
    expect(removableTokens).toBe(removals.readWritePairs.tokens + removals.fileInclusions.tokens);
  });

  test('finds old reports and unused skills, and shows what agents put into user turns under their own names', () => {
    const builder = new SessionBuilder();
    const changed = reminder(changedFile('/project/a.ts', fileLines('a')));
    for (const text of [taskReport('Look'), codexSkill('/skills/one'), changed, 'Go on.']) builder.human(text);
    for (let at = 0; at < 20; at++) builder.tool('glob', { pattern: `${at}` }, 'none');
    const { removals, byKind } = inspected(liveHistory(builder.session()));
    const { reports, skills } = removals;
    expect([reports.count, skills.count]).toEqual([1, 1]);
    expect(Math.min(reports.tokens, skills.tokens)).toBeGreaterThan(200);
    const names = ['agent: reports', 'agent: skills', 'agent: attached files', 'user: text'];
    expect(byKind.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
  });

  test('lists calls without a response, responses without a call and ids that are used twice', () => {
    const builder = new SessionBuilder();
    const { call } = builder.tool('glob', { pattern: '*' }, 'none');
    builder.add({ speaker: 'tool', blocks: [{ type: 'tool_response', callId: 'lost', toolName: 'glob', result: '' }] });
    builder.add({ ...call });
    const { unansweredCalls, orphanResponses, reusedCallIds } = inspected(liveHistory(builder.session()));
    expect(unansweredCalls).toEqual([{ id: 'call-1', tool: 'glob', position: 4 }]);
    expect(orphanResponses).toEqual([{ id: 'lost', tool: 'glob', position: 3 }]);
    expect(reusedCallIds).toBe(1);
  });

  test('of nothing is nothing', () => {
    expect(inspected([])).toMatchObject({ entries: 0, tokens: 0, byKind: [], byTool: [], byFile: [], largest: [] });
  });
});
