import type { IContent } from '../../src/content/content.ts';

/** A history with something of every kind that can be lost. */
export const RICH: readonly IContent[] = [
  {
    speaker: 'human',
    blocks: [
      { type: 'text', text: 'Look at this.' },
      { type: 'media', mimeType: 'image/png', data: 'aGVsbG8=', encoding: 'base64', filename: 'a.png' },
      { type: 'code', code: 'let a;', language: 'ts' },
    ],
    metadata: { id: 'e1', timestamp: 1_750_000_000_500 },
  },
  {
    speaker: 'ai',
    blocks: [
      { type: 'thinking', thought: 'Hm.', signature: 'c2ln', sourceField: 'thinking' },
      { type: 'text', text: 'I run it.' },
      { type: 'tool_call', id: 'c:1', name: 'shell', parameters: { command: 'make' } },
    ],
    metadata: { id: 'e2', model: 'model-y', usage: { promptTokens: 1, completionTokens: 2, totalTokens: 3 } },
  },
  {
    speaker: 'tool',
    blocks: [{ type: 'tool_response', callId: 'c:1', toolName: 'shell', result: { lines: 2 }, error: 'exit 2' }],
    metadata: { id: 'e3', isSummary: true, turnId: 't1' },
  },
  { speaker: 'ai', blocks: [{ type: 'tool_call', id: 'c2', name: 'shell', parameters: {} }], metadata: { id: 'e4' } },
  { speaker: 'human', blocks: [{ type: 'text', text: 'Go on.' }], metadata: { id: 'e5' } },
];
