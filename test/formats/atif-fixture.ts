import type { FormatSample } from '../contracts/format.ts';

const agent = { name: 'terminus-2', version: '2.0.0', model_name: 'openai/model-x' };

const bash = (id: string, keystrokes: string) => ({
  tool_call_id: id,
  function_name: 'bash_command',
  arguments: { keystrokes, duration: 0.1 },
});

const BY_ID = {
  schema_version: 'ATIF-v1.5',
  session_id: 'run-1',
  agent: { ...agent, tool_definitions: [{ type: 'function', function: { name: 'bash_command' } }] },
  steps: [
    { step_id: 1, source: 'system', message: 'You type into a terminal.' },
    { step_id: 2, timestamp: '2026-01-02T03:04:05Z', source: 'user', message: 'Write hello.txt. ✗' },
    {
      step_id: 3,
      timestamp: '2026-01-02T03:04:06Z',
      source: 'agent',
      message: 'I look first.',
      reasoning_content: 'Where am I?',
      tool_calls: [bash('call_1', 'ls\n'), bash('call_2', 'pwd\n')],
      observation: {
        results: [
          { source_call_id: 'call_1', content: 'a.py\n' },
          { source_call_id: 'call_2', content: [{ type: 'text', text: '/app' }] },
        ],
      },
      metrics: { prompt_tokens: 100, completion_tokens: 9 },
    },
    { step_id: 4, source: 'system', message: 'Added workspace context' },
    {
      step_id: 5,
      source: 'agent',
      message: '',
      tool_calls: [bash('call_3', 'echo hello > hello.txt\n')],
      observation: { results: [{ source_call_id: 'call_3', content: '' }] },
    },
  ],
  final_metrics: { total_prompt_tokens: 100 },
};

const BY_PLACE = {
  schema_version: 'ATIF-v1.4',
  session_id: 'run-2',
  agent,
  steps: [
    { step_id: 1, source: 'user', message: 'Count the files.' },
    {
      step_id: 2,
      source: 'agent',
      message: 'Two commands.',
      tool_calls: [bash('call_0_1', 'cd src\n'), bash('call_0_2', 'ls | wc -l\n')],
      observation: { results: [{ content: 'New Terminal Output:\n\n7\n' }] },
    },
    {
      step_id: 3,
      source: 'agent',
      message: 'no json',
      observation: { results: [{ content: 'Please answer in JSON.' }] },
    },
    {
      step_id: 4,
      source: 'system',
      message: 'Performed context summarization and handoff to continue task.',
      observation: { results: [{ subagent_trajectory_ref: [{ session_id: 'run-2-summary' }] }] },
    },
    { step_id: 5, source: 'user', message: 'Here are the answers: 7 files.' },
    {
      step_id: 6,
      source: 'agent',
      message: 'Done.',
      tool_calls: [{ function_name: 'mark_task_complete', arguments: {} }],
    },
  ],
};

/** Invented ATIF trajectories: results that name their call, and results that belong to a whole step. */
export const atifSample: FormatSample = {
  shape: 'document',
  texts: [JSON.stringify(BY_ID, null, 2), JSON.stringify(BY_PLACE)],
  holds: [],
};
