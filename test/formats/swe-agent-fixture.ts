import type { FormatSample } from '../contracts/format.ts';

const answer = (thought: string, action: string) => ({
  role: 'assistant',
  content: `${thought}\`\`\`\n${action}\`\`\``,
  thought,
  action,
  agent: 'primary',
});
const observed = (content: string) => ({ role: 'user', content, agent: 'primary' });

const TEXT_RUN = {
  environment: 'swe_main',
  trajectory: [{ action: 'open a.py 3\n', observation: '[File: a.py]', state: '{"working_dir": "/repo/demo"}' }],
  history: [
    { role: 'system', content: 'You fix bugs.', agent: 'primary' },
    observed('Fix a.py. ✗\n(Open file: n/a)\n(Current directory: /repo/demo)\nbash-$'),
    answer('I open it.\n', 'open "a.py" 3\n'),
    observed('[File: a.py (4 lines total)]\n1:def f()\nbash-$'),
    answer('A colon lacks.\n', 'edit 1:1\ndef f():\nend_of_edit\n'),
    observed('File updated.\nbash-$'),
    answer('\n', 'python a.py\n'),
    observed('8\nbash-$'),
    answer('Done.\n', 'create b.py\n'),
    observed('created'),
  ],
  info: { exit_status: 'submitted' },
};

const call = (id: string, name: string, parameters: object) => ({
  id,
  type: 'function',
  function: { name, arguments: JSON.stringify(parameters) },
});

const CALLING_RUN = {
  history: [
    { role: 'system', content: 'You fix bugs.', agent: 'main', message_type: 'system_prompt' },
    { role: 'user', content: 'Fix a.py.\n(Current directory: /testbed)\nbash-$', agent: 'main' },
    {
      role: 'assistant',
      content: 'I look.',
      action: 'open a.py',
      agent: 'main',
      tool_calls: [call('call_1', 'open', { path: 'a.py' })],
    },
    { role: 'user', content: 'not for the main agent', agent: 'reviewer' },
    { role: 'tool', content: 'def f()', agent: 'main', tool_call_ids: ['call_1'] },
    { role: 'assistant', content: '', agent: 'main', tool_calls: [call('call_2', 'submit', {})] },
  ],
};

/** Invented trajectories: one whose actions are text, and one with function calls that ends on one. */
export const sweAgentSample: FormatSample = {
  shape: 'document',
  texts: [`${JSON.stringify(TEXT_RUN, null, 2)}\n`, JSON.stringify(CALLING_RUN)],
  holds: [],
  idsArePlaces: true,
};
