import type { ToolVocabulary } from './vocabulary.ts';

/** SWE-agent. `goto`, `scroll_*`, `edit` and `insert` act on the open file, whose `path` its format adds where it is known. */
export const sweAgent: ToolVocabulary = {
  name: 'swe-agent',
  tools: {
    open: { role: 'read', pathKeys: ['path'] },
    create: { role: 'write', pathKeys: ['filename'] },
    goto: { role: 'read', pathKeys: ['path'] },
    scroll_up: { role: 'read', pathKeys: ['path'] },
    scroll_down: { role: 'read', pathKeys: ['path'] },
    edit: { role: 'write', pathKeys: ['path'] },
    insert: { role: 'write', pathKeys: ['path'] },
    str_replace_editor: {
      role: 'other',
      pathKeys: ['path'],
      command: {
        key: 'command',
        roles: { view: 'read', create: 'write', str_replace: 'write', insert: 'write', undo_edit: 'write' },
      },
    },
    find_file: { role: 'search', textKeys: ['file_name'], pathKeys: ['dir'] },
    search_file: { role: 'search', textKeys: ['search_term'], pathKeys: ['file'] },
    search_dir: { role: 'search', textKeys: ['search_term'], pathKeys: ['dir'] },
    bash: { role: 'shell', parser: 'shell', textKeys: ['command'], keepsDirectory: true },
  },
};
