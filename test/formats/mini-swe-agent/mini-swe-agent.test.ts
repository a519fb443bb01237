import { describe, expect, test } from 'vitest';
import { liveHistory } from '../../../src/formats/contract.ts';
import { convertSession } from '../../../src/formats/convert.ts';
import { detectFormat, formatNamed } from '../../../src/formats/index.ts';
import { decode, joinLines } from '../../../src/formats/lines/lines.ts';
import { miniSweAgent } from '../../../src/formats/mini-swe-agent/mini-swe-agent.ts';
import { miniSweAgentSample } from '../mini-swe-agent-fixture.ts';
import { session, words } from '../words.ts';

describe('reading mini-swe-agent trajectories', () => {
  test('makes a call of the one command of an answer, and its result of the next message', () => {
    expect(words(liveHistory(session(miniSweAgent, miniSweAgentSample.texts[0])))).toEqual([
      'human Please solve this issue: ✗',
      'ai I look.\n\n + bash {"command":"cat a.py"}',
      'tool (exit code 1) <returncode>1</returncode>\n<output>\nNo such file\n</output>',
      'ai Two:\n```mswea_bash_command\nls\n```\n```mswea_bash_command\npwd\n```',
      'human Please always provide EXACTLY ONE action.',
      'ai \nThat is all. + bash {"command":"ls"}',
      'tool <returncode>0</returncode>\n<output>\nb.py\n</output>',
      'ai bash {"command":"echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"}',
      'tool ',
    ]);
  });

  test('finds no command in a fence without an end, however often it begins', () => {
    const run = JSON.parse(miniSweAgentSample.texts[1]!) as { messages: object[] };
    const answer = (content: string): string | undefined => {
      const messages = [...run.messages.slice(0, 2), { role: 'assistant', content }];
      return words(liveHistory(session(miniSweAgent, JSON.stringify({ ...run, messages }))))[1];
    };
    expect(answer('```bash \n\nls\n``` x ```bash\npwd')).toBe('ai  x ```bash\npwd + bash {"command":"\\nls"}');
    const open = 'x ```bash\n'.repeat(500_000);
    expect(answer(open)).toBe(`ai ${open}`);
    expect(answer(`\`\`\`bash${'\n'.repeat(5_000_000)}`)).toMatch(/^ai ```bash/);
  });

  test('reads model, directory and usage of v1', () => {
    const read = session(miniSweAgent, miniSweAgentSample.texts[1]);
    expect(read).toMatchObject({
      model: 'model-x',
      workspaceRoot: '/repo/demo',
      systemText: 'Answer with one bash block.',
    });
    const usage = { promptTokens: 100, completionTokens: 9, totalTokens: 109, cachedTokens: 4 };
    expect(liveHistory(read).map(({ metadata }) => metadata?.usage)).toEqual([undefined, usage, undefined]);
  });

  test('reads the function calls of v2, and omits how the run ended', () => {
    const history = liveHistory(session(miniSweAgent, miniSweAgentSample.texts[2]));
    expect(words(history)).toEqual([
      'human Please solve this.',
      'ai I look. + bash {"command":"false"}',
      'tool (exit code 1) <returncode>1</returncode>\n<output>\n</output>',
    ]);
    expect(history[1]?.metadata?.timestamp).toBe(1_750_000_000_500);
  });
});

describe('a session of mini-swe-agent in another format', () => {
  const prompt = 'Reply with one command. To end: echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT';
  const original = JSON.stringify([
    { role: 'system', content: 'You answer with one command.' },
    { role: 'user', content: prompt },
    { role: 'assistant', content: 'I look.\n```bash\nls\n```' },
    { role: 'user', content: '<returncode>0</returncode>\n<output>\na.py\n</output>' },
  ]);

  test.each(['openai-chat', 'anthropic-messages', 'cline', 'openai-responses', 'gemini-api'])(
    'is found to be %s',
    (to) => {
      expect(detectFormat(original)).toBe(miniSweAgent);
      const read = session(miniSweAgent, original);
      const facts = {
        id: 'one',
        startedAt: 0,
        workspaceRoot: '/repo',
        ...(read.systemText && { systemText: read.systemText }),
      };
      const { pieces } = convertSession(read, formatNamed(to), facts);
      expect(detectFormat(decode(joinLines(pieces))).name).toBe(to);
    },
  );
});
