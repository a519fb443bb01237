import type { ToolVocabulary } from './vocabulary.ts';

const PATH_KEYS = ['file_path', 'absolute_path', 'path'];

/** Gemini CLI, with its old and its new parameter names. */
export const gemini: ToolVocabulary = {
  name: 'gemini',
  tools: {
    read_file: { role: 'read', pathKeys: PATH_KEYS },
    read_many_files: { role: 'read', listKeys: ['include', 'paths'] },
    write_file: { role: 'write', pathKeys: PATH_KEYS },
    replace: { role: 'write', pathKeys: PATH_KEYS },
    grep_search: { role: 'search', textKeys: ['pattern'], pathKeys: ['dir_path'] },
    search_file_content: { role: 'search', textKeys: ['pattern'], pathKeys: ['path', 'dir_path'] },
    glob: { role: 'search', textKeys: ['pattern'], pathKeys: ['dir_path', 'path'] },
    list_directory: { role: 'search', pathKeys: ['dir_path', 'path'] },
    run_shell_command: {
      role: 'shell',
      parser: 'shell',
      textKeys: ['command'],
      directoryKeys: ['dir_path', 'directory'],
    },
  },
};

/** Qwen Code, which was made from Gemini CLI. Source: its requests, version 0.24.4. */
export const qwenCode: ToolVocabulary = {
  name: 'qwen-code',
  tools: {
    ...gemini.tools,
    edit: { role: 'write', pathKeys: ['file_path'] },
    notebook_edit: { role: 'write', pathKeys: ['notebook_path'] },
  },
};
