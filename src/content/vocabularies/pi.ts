import type { ToolVocabulary } from './vocabulary.ts';

/** pi: every path parameter is `path`; each shell call starts a new shell. */
export const pi: ToolVocabulary = {
  name: 'pi',
  tools: {
    read: { role: 'read', pathKeys: ['path'] },
    write: { role: 'write', pathKeys: ['path'] },
    edit: { role: 'write', pathKeys: ['path'] },
    grep: { role: 'search', textKeys: ['pattern'], pathKeys: ['path'] },
    find: { role: 'search', textKeys: ['pattern'], pathKeys: ['path'] },
    ls: { role: 'search', pathKeys: ['path'] },
    bash: { role: 'shell', parser: 'shell', textKeys: ['command'] },
  },
};
