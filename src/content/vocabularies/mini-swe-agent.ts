import type { ToolVocabulary } from './vocabulary.ts';

/** mini-swe-agent: nothing but a fresh shell per call. */
export const miniSweAgent: ToolVocabulary = {
  name: 'mini-swe-agent',
  tools: { bash: { role: 'shell', parser: 'shell', textKeys: ['command'] } },
};
