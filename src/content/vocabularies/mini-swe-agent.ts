import type { ToolVocabulary } from './vocabulary.ts';

/** mini-swe-agent: its only tool starts a new shell for each call. */
export const miniSweAgent: ToolVocabulary = {
  name: 'mini-swe-agent',
  tools: { bash: { role: 'shell', parser: 'shell', textKeys: ['command'] } },
};
