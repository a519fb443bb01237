import type { ToolVocabulary } from './vocabulary.ts';

/** OpenAI Codex CLI: it reads and writes files through the shell and `apply_patch`. */
export const codex: ToolVocabulary = {
  name: 'codex',
  tools: {
    apply_patch: { role: 'write', parser: 'apply-patch', textKeys: ['input', 'patch'], directoryKeys: ['workdir'] },
    exec_command: { role: 'shell', parser: 'shell', textKeys: ['cmd', 'command'], directoryKeys: ['workdir'] },
    shell_command: { role: 'shell', parser: 'shell', textKeys: ['command'], directoryKeys: ['workdir'] },
    shell: { role: 'shell', parser: 'shell', textKeys: ['command'], directoryKeys: ['workdir'] },
    local_shell: { role: 'shell', parser: 'shell', textKeys: ['command'], directoryKeys: ['working_directory'] },
    exec: { role: 'shell', parser: 'script', textKeys: ['input'] },
    write_stdin: { role: 'shell', textKeys: ['chars'] },
    view_image: { role: 'read', pathKeys: ['path'] },
  },
};
