import { describe, expect, test } from 'vitest';
import { liveHistory } from '../../../src/formats/contract.ts';
import { sweAgent } from '../../../src/formats/swe-agent/swe-agent.ts';
import { getCompressionStrategy } from '../../../src/strategies/index.ts';
import { sweAgentSample } from '../swe-agent-fixture.ts';
import { session, words } from '../words.ts';

describe('reading SWE-agent trajectories', () => {
  test('makes calls of the actions in text, and results of what the model was shown for them', () => {
    const read = session(sweAgent, sweAgentSample.texts[0]);
    expect(read).toMatchObject({ systemText: 'You fix bugs.', workspaceRoot: '/repo/demo' });
    expect(words(liveHistory(read))).toEqual([
      'human Fix a.py. ✗\n(Open file: n/a)\n(Current directory: /repo/demo)\nbash-$',
      'ai I open it.\n + open {"path":"a.py","line_number":3}',
      'tool [File: a.py (4 lines total)]\n1:def f()\nbash-$',
      'ai A colon lacks.\n + edit {"command":"edit 1:1\\ndef f():\\nend_of_edit"}',
      'tool File updated.\nbash-$',
      'ai bash {"command":"python a.py"}',
      'tool 8\nbash-$',
      'ai Done.\n + create {"filename":"b.py"}',
      'tool created',
    ]);
  });

  test('pairs function calls by their ids, leaves other agents out, and may end on a call', () => {
    const read = session(sweAgent, sweAgentSample.texts[1]);
    expect(read.workspaceRoot).toBe('/testbed');
    expect(words(liveHistory(read)).slice(1)).toEqual([
      'ai I look. + open {"path":"a.py"}',
      'tool def f()',
      'ai submit {}',
    ]);
  });

  test('reads the steps of a trajectory that has no history', () => {
    const step = {
      action: 'ls\n',
      observation: 'a.py',
      response: 'Look.\n```\nls\n```',
      thought: 'Look.\n',
      state: '{"working_dir": "/w"}',
    };
    const read = session(sweAgent, JSON.stringify({ trajectory: [step] }));
    expect(words(liveHistory(read))).toEqual(['ai Look.\n + bash {"command":"ls"}', 'tool a.py']);
    expect(read.workspaceRoot).toBe('/w');
  });

  test('names the open file in calls that act on it, unless a change was not applied', () => {
    const said = (role: string, content: string, action?: string) => ({ role, content, agent: 'main', action });
    const prompt = (file: string) => `\n(Open file: ${file})\n(Current directory: /w)\nbash-$`;
    const steps = [
      ['goto 3', `nothing is open${prompt('n/a')}`],
      ['open a.py', `1:x${prompt('/w/a.py')}`],
      ['scroll_down', `9:y${prompt('/w/a.py')}`],
      ['edit 1:1\n x\nend_of_edit', `Your proposed edit has introduced new syntax error(s).${prompt('/w/a.py')}`],
      ['edit 1:1\nz\nend_of_edit', `1:z\nFile updated. Please review.${prompt('/w/a.py')}`],
    ] as const;
    const history = steps.flatMap(([action, result]) => [said('assistant', '', action), said('user', result)]);
    const read = liveHistory(session(sweAgent, JSON.stringify({ history })));
    const calls = read.flatMap(({ blocks }) => blocks.filter((block) => block.type === 'tool_call'));
    expect(calls.map(({ parameters }) => (parameters as { path?: string }).path)).toEqual([
      undefined,
      'a.py',
      '/w/a.py',
      undefined,
      '/w/a.py',
    ]);
    const config = { readWritePruning: true, fileDedupe: true, recencyPruning: false, recencyRetention: 1 };
    const strategy = getCompressionStrategy('high-density', { vocabulary: sweAgent.vocabulary });
    // Both views of the file before its change.
    expect(strategy.optimize?.(read, { ...config, workspaceRoot: '/w' }).removals).toEqual([2, 3, 4, 5]);
  });

  test('makes no call of an answer without an action', () => {
    const said = (role: string, content: string, action?: string) => ({
      role,
      content,
      agent: 'main',
      ...(action !== undefined && { action }),
    });
    const text = JSON.stringify({ history: [said('assistant', 'hm', ''), said('user', 'Give a command.')] });
    expect(words(liveHistory(session(sweAgent, text)))).toEqual(['ai hm', 'human Give a command.']);
  });
});
