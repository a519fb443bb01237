import type { ToolDefinition, ToolVocabulary } from './vocabulary.ts';

const EDITOR: ToolDefinition = {
  role: 'other',
  pathKeys: ['path'],
  command: {
    key: 'command',
    roles: { view: 'read', create: 'write', str_replace: 'write', insert: 'write', undo_edit: 'write' },
  },
};
const SHELL: ToolDefinition = { role: 'shell', parser: 'shell', textKeys: ['command'], keepsDirectory: true };

/** OpenHands: the function names of runs with tool calls and the action names of event lists. */
export const openhands: ToolVocabulary = {
  name: 'openhands',
  tools: {
    str_replace_editor: EDITOR,
    file_editor: EDITOR,
    edit_file: { role: 'write', pathKeys: ['path'] },
    read: { role: 'read', pathKeys: ['path'] },
    write: { role: 'write', pathKeys: ['path'] },
    edit: { role: 'write', pathKeys: ['path'] },
    grep: { role: 'search', textKeys: ['pattern'], pathKeys: ['path'] },
    glob: { role: 'search', textKeys: ['pattern'], pathKeys: ['path'] },
    execute_bash: SHELL,
    terminal: SHELL,
    run: SHELL,
    execute_ipython_cell: { role: 'shell', textKeys: ['code'] },
    run_ipython: { role: 'shell', textKeys: ['code'] },
  },
};
