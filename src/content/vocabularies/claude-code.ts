import type { ToolVocabulary } from './vocabulary.ts';

/** Claude Code. Its Bash keeps its directory between calls; its Read numbers lines (`1→` before version 2.1.91). */
export const claudeCode: ToolVocabulary = {
  name: 'claude-code',
  tools: {
    Read: { role: 'read', pathKeys: ['file_path'], numbersLines: true },
    NotebookRead: { role: 'read', pathKeys: ['notebook_path'] },
    Write: { role: 'write', pathKeys: ['file_path'] },
    Edit: { role: 'write', pathKeys: ['file_path'] },
    MultiEdit: { role: 'write', pathKeys: ['file_path'] },
    NotebookEdit: { role: 'write', pathKeys: ['notebook_path', 'file_path'] },
    Grep: { role: 'search', textKeys: ['pattern'], pathKeys: ['path'] },
    Glob: { role: 'search', textKeys: ['pattern'], pathKeys: ['path'] },
    LS: { role: 'search', pathKeys: ['path'] },
    Bash: { role: 'shell', parser: 'shell', textKeys: ['command'], keepsDirectory: true },
    PowerShell: { role: 'shell', parser: 'powershell', textKeys: ['command'], keepsDirectory: true },
  },
};
