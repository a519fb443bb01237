import type { ToolDefinition, ToolVocabulary } from './vocabulary.ts';

const PATH_KEYS = ['path', 'absolutePath', 'file_path'];
const WRITE: ToolDefinition = { role: 'write', pathKeys: PATH_KEYS };

/** Cline (classic, native and SDK) and Roo Code. Their terminals keep their directory between calls. */
export const cline: ToolVocabulary = {
  name: 'cline',
  tools: {
    read_file: { role: 'read', pathKeys: PATH_KEYS, listKeys: ['files'] },
    read_files: { role: 'read', listKeys: ['files'] },
    write_to_file: WRITE,
    replace_in_file: WRITE,
    editor: WRITE,
    apply_diff: WRITE,
    edit: WRITE,
    edit_file: WRITE,
    search_replace: WRITE,
    insert_content: WRITE,
    search_and_replace: WRITE,
    apply_patch: { role: 'write', parser: 'apply-patch', textKeys: ['input', 'patch'] },
    search_files: { role: 'search', textKeys: ['regex'], pathKeys: ['path'] },
    search_codebase: { role: 'search', listKeys: ['queries'] },
    codebase_search: { role: 'search', textKeys: ['query'], pathKeys: ['path'] },
    list_files: { role: 'search', pathKeys: ['path'] },
    list_code_definition_names: { role: 'search', pathKeys: ['path'] },
    execute_command: {
      role: 'shell',
      parser: 'shell',
      textKeys: ['command'],
      directoryKeys: ['cwd'],
      keepsDirectory: true,
    },
    run_commands: { role: 'shell', parser: 'shell', listKeys: ['commands'], keepsDirectory: true },
  },
};
