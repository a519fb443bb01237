import type { FormatSample } from '../contracts/format.ts';

const at = (second: number) => `2026-05-01T09:00:${String(second).padStart(2, '0')}.123456`;

const answer = (id: string, name: string, parameters: object) => ({
  tool_call_id: id,
  function_name: name,
  total_calls_in_response: 1,
  model_response: {
    model: 'model-x',
    usage: { prompt_tokens: 50, completion_tokens: 5, total_tokens: 55 },
    choices: [
      {
        message: { role: 'assistant', tool_calls: [{ id, function: { name, arguments: JSON.stringify(parameters) } }] },
      },
    ],
  },
});

const EVENTS = [
  {
    id: 0,
    timestamp: at(0),
    source: 'agent',
    action: 'system',
    args: { content: 'You code.', tools: [{ type: 'function' }] },
  },
  {
    id: 1,
    timestamp: at(1),
    source: 'user',
    action: 'message',
    args: { content: 'Create a.txt. ✗', image_urls: null },
  },
  { id: 2, timestamp: at(2), source: 'user', action: 'recall', args: { query: 'Create' } },
  {
    id: 3,
    source: 'environment',
    cause: 2,
    observation: 'recall',
    content: 'Added workspace context',
    extras: { working_dir: '/repo/demo', repo_instructions: 'Use tabs.', microagent_knowledge: [] },
  },
  {
    id: 4,
    timestamp: at(4),
    source: 'agent',
    action: 'run',
    tool_call_metadata: answer('call_1', 'execute_bash', { command: 'cat a.txt', security_risk: 'LOW' }),
    args: { command: 'cat a.txt', thought: 'Is it there?', blocking: true },
  },
  {
    id: 5,
    cause: 4,
    observation: 'run',
    tool_call_metadata: answer('call_1', 'execute_bash', {}),
    content: 'cat: a.txt: No such file',
    extras: { metadata: { exit_code: 1, prefix: '', suffix: '\n[The command completed with exit code 1.]' } },
  },
  { id: 6, timestamp: at(6), source: 'agent', action: 'write', args: { path: 'a.txt', content: 'a', thought: '' } },
  { id: 7, cause: 6, observation: 'write', content: 'I wrote a.txt.' },
  { id: 8, source: 'environment', observation: 'agent_state_changed', content: '', extras: { agent_state: 'running' } },
  { id: 9, source: 'agent', action: 'finish', args: { final_thought: 'Created.', outputs: {}, thought: '' } },
];

const condensed = [
  ...EVENTS,
  {
    id: 10,
    source: 'agent',
    action: 'condensation',
    args: { forgotten_event_ids: [4, 5], summary: 'Looked.', summary_offset: 1 },
  },
  { id: 11, source: 'agent', action: 'run', args: { command: 'sleep 1000' } },
];

const OLD = {
  instance_id: 'demo__1',
  history: [
    { content: 'Fix it.', images_urls: null, action: 'message' },
    { command: 'ls', thought: 'First look.', action: 'run', is_confirmed: 'confirmed' },
    { content: 'a.py', command_id: -1, exit_code: 0, observation: 'run' },
  ],
  metrics: {},
};

const LOGGED = {
  messages: [
    { role: 'system', content: [{ type: 'text', text: 'You code.' }] },
    { role: 'user', content: [{ type: 'text', text: 'Create hello.py.' }] },
  ],
  kwargs: { stop: ['</function'] },
  raw_messages: [{ role: 'user', content: 'Create hello.py.' }],
  response: {
    model: 'model-x',
    choices: [
      {
        message: {
          role: 'assistant',
          content: 'I do.',
          tool_calls: [{ id: 'c', function: { name: 'terminal', arguments: '{}' } }],
        },
      },
    ],
    usage: { prompt_tokens: 70, completion_tokens: 7, total_tokens: 77 },
  },
  raw_response: {
    choices: [
      { message: { role: 'assistant', content: 'I do.\n\n<function=terminal>\n</function', tool_calls: null } },
    ],
  },
};

/** Invented recordings: event lists, an evaluation's output with two runs, and logged calls. */
export const openhandsSample: FormatSample = {
  shape: 'document',
  texts: [
    JSON.stringify(EVENTS, null, 4),
    JSON.stringify(condensed),
    [OLD, { ...OLD, history: [OLD.history.slice(0, 1), OLD.history.slice(1)] }]
      .map((run) => `${JSON.stringify(run)}\n`)
      .join(''),
    JSON.stringify(LOGGED),
  ],
  holds: [],
  idsArePlaces: true,
};
