import { describe, expect, test } from 'vitest';
import { liveHistory } from '../../../src/formats/contract.ts';
import { sweAgent } from '../../../src/formats/swe-agent/swe-agent.ts';
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
