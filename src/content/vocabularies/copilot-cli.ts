import type { ToolVocabulary } from './vocabulary.ts';

/** GitHub Copilot CLI. Its shells are sessions that keep their directory. */
export const copilotCli: ToolVocabulary = {
  name: 'copilot-cli',
  tools: {
    view: { role: 'read', pathKeys: ['path'] },
    create: { role: 'write', pathKeys: ['path'] },
    edit: { role: 'write', pathKeys: ['path'] },
    apply_patch: { role: 'write', parser: 'apply-patch', textKeys: ['patch', 'input'] },
    rg: { role: 'search', textKeys: ['pattern'], listKeys: ['paths'] },
    grep: { role: 'search', textKeys: ['pattern'], listKeys: ['paths'] },
    glob: { role: 'search', textKeys: ['pattern'], listKeys: ['paths'] },
    bash: { role: 'shell', parser: 'shell', textKeys: ['command'], keepsDirectory: true },
    read_bash: { role: 'shell' },
    write_bash: { role: 'shell', textKeys: ['input'] },
    stop_bash: { role: 'shell' },
    powershell: { role: 'shell', parser: 'powershell', textKeys: ['command'], keepsDirectory: true },
    read_powershell: { role: 'shell' },
    write_powershell: { role: 'shell', textKeys: ['input'] },
    stop_powershell: { role: 'shell' },
  },
};
