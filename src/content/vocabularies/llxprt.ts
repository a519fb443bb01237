import type { ToolDefinition, ToolVocabulary } from './vocabulary.ts';

const PATH_KEYS = ['file_path', 'absolute_path', 'path'];
const READ: ToolDefinition = { role: 'read', pathKeys: PATH_KEYS };
const WRITE: ToolDefinition = { role: 'write', pathKeys: PATH_KEYS };

/**
 * LLxprt Code, and the default. Reads and writes are exactly REQ-HD-005.2 and 005.3, path keys REQ-HD-005.4.
 * Its shell is not parsed: the requirements name no shell tool.
 */
export const llxprt: ToolVocabulary = {
  name: 'llxprt',
  tools: {
    read_file: READ,
    read_line_range: READ,
    read_many_files: { role: 'read', pathKeys: PATH_KEYS, listKeys: ['paths', 'include'] },
    ast_read_file: READ,
    write_file: WRITE,
    ast_edit: WRITE,
    replace: WRITE,
    insert_at_line: WRITE,
    delete_line_range: WRITE,
    search_file_content: { role: 'search', textKeys: ['pattern'], pathKeys: ['path'] },
    glob: { role: 'search', textKeys: ['pattern'], pathKeys: ['path'] },
    list_directory: { role: 'search', pathKeys: ['path'] },
    ast_grep: { role: 'search', textKeys: ['pattern'], pathKeys: ['path'] },
    run_shell_command: { role: 'shell', textKeys: ['command'] },
  },
};
