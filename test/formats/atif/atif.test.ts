import { describe, expect, test } from 'vitest';
import { atif } from '../../../src/formats/atif/atif.ts';
import { liveHistory } from '../../../src/formats/contract.ts';
import { detectFormat } from '../../../src/formats/index.ts';
import { atifSample } from '../atif-fixture.ts';
import { session, steps, words } from '../words.ts';

const [byId, byPlace] = atifSample.texts;

describe('ATIF trajectories', () => {
  test('are read-only', () => {
    expect([atif.write, atif.create]).toEqual([undefined, undefined]);
  });

  test('name the session, the model, the system prompt and the tools, with the usage of each answer', () => {
    const { id, model, systemText, events } = session(atif, byId);
    expect([id, model]).toEqual(['run-1', 'openai/model-x']);
    expect(systemText).toBe('You type into a terminal.\n[{"type":"function","function":{"name":"bash_command"}}]');
    const answer = events[1];
    expect(answer?.kind === 'add' && answer.content.metadata).toMatchObject({
      timestamp: Date.UTC(2026, 0, 2, 3, 4, 6),
      model: 'openai/model-x',
      usage: { promptTokens: 100, completionTokens: 9, totalTokens: 109 },
    });
  });

  test('pair results by the id of their call; notes of the harness are not sent', () => {
    expect(steps(session(atif, byId).events)).toEqual([
      'human Write hello.txt. ✗',
      'ai thinking + I look first. + bash_command {"keystrokes":"ls\\n","duration":0.1} + bash_command {"keystrokes":"pwd\\n","duration":0.1}',
      'tool a.py\n',
      'tool /app',
      'ai bash_command {"keystrokes":"echo hello > hello.txt\\n","duration":0.1}',
      'tool ',
    ]);
  });

  test('pair a result without an id inside its step; after a handoff only the task and what follows is live', () => {
    expect(steps(session(atif, byPlace).events)).toEqual([
      'human Count the files.',
      'ai Two commands. + bash_command {"keystrokes":"cd src\\n","duration":0.1} + bash_command {"keystrokes":"ls | wc -l\\n","duration":0.1}',
      'tool ',
      'tool New Terminal Output:\n\n7\n',
      'ai no json',
      'human Please answer in JSON.',
      ['human Count the files.'],
      'human Here are the answers: 7 files.',
      'ai Done. + mark_task_complete {}',
    ]);
  });

  test('pair results of calls with one id in their order, and keep each', () => {
    const words = (calls: number, ...texts: readonly string[]) => {
      const call = { tool_call_id: 'c', function_name: 'run', arguments: {} };
      const results = texts.map((content) => ({ source_call_id: 'c', content }));
      const step = { step_id: 1, source: 'agent', tool_calls: Array(calls).fill(call), observation: { results } };
      return steps(session(atif, JSON.stringify({ schema_version: 'ATIF-v1.5', steps: [step] })).events).slice(1);
    };
    expect(words(2, 'one', 'two')).toEqual(['tool one', 'tool two']);
    expect(words(2, 'one')).toEqual(['tool one']);
    expect(words(1, 'one', 'two')).toEqual(['tool one', 'tool two']);
  });

  test('list a step that is not an object', () => {
    const text = JSON.stringify({ schema_version: 'ATIF-v1.5', steps: [{ source: 'user', message: 'Hi' }, 7] });
    expect(session(atif, text).skipped).toEqual([{ line: 1, reason: 'expected an object in step 1' }]);
  });
});

describe('ATIF trajectories of other writers', () => {
  const trajectory = (id: string, version: string): object => ({
    schema_version: version,
    session_id: id,
    agent: { name: 'an-agent', version: '1', model_name: `model-${id}` },
    steps: [
      { step_id: 1, source: 'user', message: `ask ${id}` },
      { step_id: 2, source: 'agent', message: `answer ${id}` },
    ],
  });

  test.each(['1.4', 'ATIF-v1.4'])('of version %s are found and read', (version) => {
    const text = JSON.stringify(trajectory('a', version));
    expect(detectFormat(text)).toBe(atif);
    expect(words(liveHistory(session(atif, text)))).toEqual(['human ask a', 'ai answer a']);
  });

  test('in a list are contexts of their own, the last one live', () => {
    const text = JSON.stringify([trajectory('a', '1.4'), trajectory('b', 'ATIF-v1.6')]);
    expect(detectFormat(text)).toBe(atif);
    const read = session(atif, text);
    expect(read).toMatchObject({ id: 'b', model: 'model-b' });
    expect(read.events.map(({ kind }) => kind)).toEqual(['add', 'add', 'replace', 'add', 'add']);
    expect(words(liveHistory(read))).toEqual(['human ask b', 'ai answer b']);
  });

  test('are no other document with a version', () => {
    for (const document of [{ schema_version: '1.4' }, { schema_version: '1.4', steps: [{ name: 'build' }] }, [1], []])
      expect(atif.detect(JSON.stringify(document))).toBe(false);
  });
});
