import { describe, expect, test } from 'vitest';
import { liveHistory } from '../../../src/formats/contract.ts';
import { detectFormat } from '../../../src/formats/index.ts';
import { openhands } from '../../../src/formats/openhands/openhands.ts';
import { openhandsSample } from '../openhands-fixture.ts';
import { session, steps, words } from '../words.ts';

describe('reading OpenHands recordings', () => {
  test('pairs observations with the actions that caused them, and shows what the model was shown', () => {
    const read = session(openhands, openhandsSample.texts[0]);
    expect(read).toMatchObject({
      model: 'model-x',
      workspaceRoot: '/repo/demo',
      systemText: 'You code.\n[{"type":"function"}]',
    });
    expect(words(liveHistory(read))).toEqual([
      'human Create a.txt. ✗',
      'human Use tabs.',
      'ai Is it there? + execute_bash {"command":"cat a.txt","security_risk":"LOW"}',
      'tool (exit code 1) cat: a.txt: No such file\n[The command completed with exit code 1.]',
      'ai write {"path":"a.txt","content":"a"}',
      'tool I wrote a.txt.',
      'ai Created.',
    ]);
    expect(liveHistory(read)[2]?.metadata).toMatchObject({
      usage: { promptTokens: 50 },
      timestamp: Date.UTC(2026, 4, 1, 9, 0, 4, 123),
    });
  });

  test('forgets what a condensation forgets, and puts its summary in the place it names', () => {
    expect(steps(session(openhands, openhandsSample.texts[1]).events).slice(-2)).toEqual([
      [
        'human Create a.txt. ✗',
        'human Looked.',
        'human Use tabs.',
        'ai write {"path":"a.txt","content":"a"}',
        'tool I wrote a.txt.',
        'ai Created.',
      ],
      'ai run {"command":"sleep 1000"}',
    ]);
  });

  test('starts again with each run of an output, flat events and pairs alike', () => {
    const run = ['human Fix it.', 'ai First look. + run {"command":"ls"}', 'tool a.py'];
    expect(steps(session(openhands, openhandsSample.texts[2]).events)).toEqual([...run, [], ...run]);
  });

  test('lists a line of an output that it cannot use', () => {
    const [first] = (openhandsSample.texts[2] ?? '').split('\n');
    expect(session(openhands, `${first}\n{"cut": [1`).skipped.map(({ line }) => line)).toEqual([2]);
  });

  test('reads errors and refusals as failures, and early exit codes', () => {
    const events = [
      { id: 1, source: 'agent', action: 'edit', args: { path: 'a' } },
      { id: 2, cause: 1, observation: 'error', content: 'No match\nin a' },
      { id: 3, source: 'agent', action: 'run', args: { command: 'sleep' } },
      { id: 4, cause: 3, observation: 'run', content: 'still on', extras: { metadata: { exit_code: -1 } } },
      { id: 5, cause: null, observation: 'error', content: 'The agent is stuck.' },
    ];
    expect(
      words(liveHistory(session(openhands, JSON.stringify(events)))).filter((said) => !said.startsWith('ai')),
    ).toEqual(['tool (No match) in a', 'tool still on', 'human The agent is stuck.']);
  });

  test('is detected in a logged call whose messages alone are longer than the start of the file', () => {
    const messages = [
      { role: 'system', content: [{ type: 'text', text: 'You are OpenHands agent, you code.' }] },
      { role: 'user', content: [{ type: 'text', text: 'Create hello.py. '.repeat(20_000) }] },
    ];
    const log = JSON.stringify({ messages, kwargs: {}, response: {} });
    const head = log.slice(0, 256 * 1024);
    expect(head).not.toContain('kwargs');
    expect(detectFormat(head).name).toBe('openhands');
    expect(detectFormat(JSON.stringify({ messages })).name).toBe('openai-chat');
  });

  test('reads a logged call: what was sent, then the answer as the model gave it', () => {
    const read = session(openhands, openhandsSample.texts[3]);
    expect(words(liveHistory(read))).toEqual(['human Create hello.py.', 'ai I do.\n\n<function=terminal>\n</function']);
    expect(liveHistory(read)[1]?.metadata?.usage?.promptTokens).toBe(70);
    const { raw_messages: _, ...native } = JSON.parse(openhandsSample.texts[3] ?? '');
    expect(words(liveHistory(session(openhands, JSON.stringify(native))))[1]).toBe('ai I do. + terminal {}');
  });
});
