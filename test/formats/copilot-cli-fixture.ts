import { createHash } from 'node:crypto';
import type { FormatSample } from '../contracts/format.ts';

/** Events as lines, each hanging on the one before. */
function chain(events: readonly (readonly [type: string, data: unknown])[]): string {
  return events
    .map(([type, data], index) => {
      const timestamp = new Date(Date.UTC(2026, 0, 2, 3, 4, index)).toISOString();
      return JSON.stringify({
        type,
        data,
        id: `event-${index}`,
        timestamp,
        parentId: index === 0 ? null : `event-${index - 1}`,
      });
    })
    .join('\n');
}

const start = {
  sessionId: 'session-1',
  version: 1,
  producer: 'copilot-agent',
  copilotVersion: '1.0.64',
  context: { cwd: '/repo/demo' },
};

const request = (toolCallId: string, name: string, args: unknown) => ({
  toolCallId,
  name,
  arguments: args,
  type: 'function',
});

const CALLS = chain([
  ['session.start', start],
  ['session.model_change', { newModel: 'model-x' }],
  ['hook.start', { hookType: 'userPromptSubmitted', input: { prompt: 'Fix a.ts ✗' } }],
  ['system.message', { role: 'system', content: 'You help in a terminal.' }],
  ['user.message', { content: 'Fix a.ts ✗', transformedContent: '<now>noon</now>\n\nFix a.ts ✗', attachments: [] }],
  ['assistant.turn_start', { turnId: '0' }],
  [
    'assistant.message',
    {
      model: 'model-y',
      content: 'I read.',
      toolRequests: [
        request('call_1', 'view', { path: 'a.ts', view_range: [1, 2] }),
        request('call_2', 'bash', { command: 'make' }),
      ],
      reasoningText: 'Which one?',
      reasoningOpaque: 'c2VhbGVk',
    },
  ],
  ['tool.execution_start', { toolCallId: 'call_1', toolName: 'view', arguments: { path: 'a.ts', view_range: [1, 2] } }],
  ['tool.execution_start', { toolCallId: 'call_2', toolName: 'bash', arguments: { command: 'make' } }],
  [
    'tool.execution_complete',
    {
      toolCallId: 'call_1',
      success: true,
      result: { content: '1. a', detailedContent: 'diff of a' },
      toolTelemetry: {},
    },
  ],
  ['assistant.message', { content: 'A sub-agent.', toolRequests: [], parentToolCallId: 'call_2' }],
  [
    'tool.execution_complete',
    { toolCallId: 'call_2', success: false, error: { message: 'make: stopped\nno rule', code: 'failure' } },
  ],
  ['assistant.turn_end', { turnId: '0' }],
  ['system.notification', { content: '<system_notification>\nA shell ended.\n</system_notification>' }],
  [
    'assistant.message',
    {
      content: '',
      toolRequests: [request('call_3', 'apply_patch', '*** Begin Patch\n*** Update File: a.ts\n*** End Patch')],
    },
  ],
  ['tool.execution_start', { toolCallId: 'call_3', toolName: 'apply_patch', arguments: '*** Begin Patch' }],
  ['tool.execution_complete', { toolCallId: 'call_3', success: true, result: { content: 'Done' } }],
  ['assistant.message', { content: 'Fixed.', toolRequests: [] }],
  [
    'user.message',
    {
      content: 'And this?',
      attachments: [
        { type: 'blob', data: 'aGVsbG8=', mimeType: 'image/png', displayName: 'a.png' },
        { type: 'file', path: '/repo/demo/a.ts' },
      ],
    },
  ],
]);

const COMPACTED = chain([
  ['session.start', { ...start, selectedModel: 'model-x' }],
  ['user.message', { content: 'Old.', transformedContent: 'Old.' }],
  ['assistant.message', { content: 'Old answer.', toolRequests: [] }],
  ['session.compaction_start', {}],
  ['user.message', { content: 'Meanwhile.', transformedContent: 'Meanwhile.' }],
  ['session.compaction_complete', { success: true, summaryContent: 'Something old.' }],
  ['assistant.message', { content: 'Taken back.', toolRequests: [] }],
  ['session.snapshot_rewind', { upToEventId: 'event-6', eventsRemoved: 1 }],
  ['assistant.message', { content: '', toolRequests: [request('call_1', 'bash', { command: 'sleep 1000' })] }],
]);

const RULES = 'Rule 1: test first. ✗';

/** An event refers to the text of a skill since 1.0.102. */
const SKILLED = chain([
  ['session.start', { ...start, selectedModel: 'model-x' }],
  ['user.message', { content: 'Use $rules.', transformedContent: 'Use $rules.' }],
  ['assistant.message', { content: '', toolRequests: [request('call_1', 'skill', { skill: 'rules' })] }],
  ['tool.execution_start', { toolCallId: 'call_1', toolName: 'skill', arguments: { skill: 'rules' } }],
  ['tool.execution_complete', { toolCallId: 'call_1', success: true, result: { content: 'Skill "rules" loaded.' } }],
  ['skill.invoked', { name: 'rules', path: '/repo/demo/SKILL.md', content: RULES, source: 'project' }],
  [
    'skill.context_delivered_ref',
    {
      source: 'skill-rules',
      contentId: `sha256:${createHash('sha256').update(RULES).digest('hex')}`,
      prefix: '<skill-context name="rules">\n',
      suffix: '\n</skill-context>',
    },
  ],
  ['skill.context_delivered_ref', { source: 'skill-gone', contentId: 'sha256:0', prefix: 'a', suffix: 'b' }],
  ['assistant.message', { content: 'I test first.', toolRequests: [] }],
]);

/** Invented sessions of Copilot CLI: calls, failures, a sub-agent, notices; compaction and rewind; a pending call; a skill. */
export const copilotCliSample: FormatSample = {
  shape: 'lines',
  texts: [`${CALLS}\n`, COMPACTED, SKILLED],
  holds: ['error', 'media'],
  linesPerBlock: 3,
};
