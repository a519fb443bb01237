import type { ToolVocabulary } from './vocabulary.ts';

/** opencode: every path parameter is `filePath`. */
export const opencode: ToolVocabulary = {
  name: 'opencode',
  tools: {
    read: { role: 'read', pathKeys: ['filePath'] },
    write: { role: 'write', pathKeys: ['filePath'] },
    edit: { role: 'write', pathKeys: ['filePath'] },
    multiedit: { role: 'write', pathKeys: ['filePath'] },
    apply_patch: { role: 'write', parser: 'apply-patch', textKeys: ['patchText'] },
    patch: { role: 'write', parser: 'apply-patch', textKeys: ['patchText'] },
    grep: { role: 'search', textKeys: ['pattern'], pathKeys: ['path'] },
    glob: { role: 'search', textKeys: ['pattern'], pathKeys: ['path'] },
    list: { role: 'search', pathKeys: ['path'] },
    bash: { role: 'shell', parser: 'shell', textKeys: ['command'], directoryKeys: ['workdir'] },
  },
};
