import type { FormatSample } from '../contracts/format.ts';

const fence = (command: string, mark = 'mswea_bash_command') => `\`\`\`${mark}\n${command}\n\`\`\``;

const V0 = [
  { role: 'system', content: `Answer with one block:\n\n${fence('your_command')}\n` },
  { role: 'user', content: 'Please solve this issue: ✗' },
  { role: 'assistant', content: `I look.\n\n${fence('cat a.py')}` },
  { role: 'user', content: '<returncode>1</returncode>\n<output>\nNo such file\n</output>' },
  { role: 'assistant', content: `Two:\n${fence('ls')}\n${fence('pwd')}` },
  { role: 'user', content: 'Please always provide EXACTLY ONE action.' },
  { role: 'assistant', content: `${fence('ls')}\nThat is all.` },
  { role: 'user', content: '<returncode>0</returncode>\n<output>\nb.py\n</output>' },
  { role: 'assistant', content: fence('echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT') },
  { role: 'user', content: '' },
];

const usage = {
  prompt_tokens: 100,
  completion_tokens: 9,
  total_tokens: 109,
  prompt_tokens_details: { cached_tokens: 4 },
};

const V1 = {
  info: {
    mini_version: '1.13.4',
    config: { model: { model_name: 'model-x' }, environment: { cwd: '/repo/demo' } },
  },
  messages: [
    { role: 'system', content: 'Answer with one bash block.' },
    { role: 'user', content: [{ type: 'text', text: 'Please solve this.' }] },
    { role: 'assistant', content: fence('ls', 'bash'), extra: { response: { usage } } },
    { role: 'user', content: [{ type: 'text', text: '<returncode>0</returncode>\n<output>\na\n</output>' }] },
  ],
  trajectory_format: 'mini-swe-agent-1',
};

const V2 = {
  info: { mini_version: '2.0.0' },
  messages: [
    { role: 'system', content: 'Use the tool.' },
    { role: 'user', content: 'Please solve this.' },
    {
      role: 'assistant',
      content: 'I look.',
      tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'bash', arguments: '{"command":"false"}' } }],
      extra: { timestamp: 1_750_000_000.5, actions: [{ command: 'false', tool_call_id: 'call_1' }] },
    },
    {
      role: 'tool',
      tool_call_id: 'call_1',
      content: '<returncode>1</returncode>\n<output>\n</output>',
      extra: { raw_output: '', returncode: 1 },
    },
    { role: 'exit', content: 'Submitted', extra: { exit_status: 'Submitted' } },
  ],
  trajectory_format: 'mini-swe-agent-1.1',
};

/** Invented trajectories: a bare list, v1 and v2. */
export const miniSweAgentSample: FormatSample = {
  shape: 'document',
  texts: [`${JSON.stringify(V0, null, 2)}\n`, JSON.stringify(V1), JSON.stringify(V2, null, 1)],
  holds: [],
  idsArePlaces: true,
};
