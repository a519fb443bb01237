import type { Said } from '../../../src/strict-provider/contract.ts';

type Call = NonNullable<Said['calls']>[number];

/** What the tools of one agent are called. Paths are absolute. */
export interface AgentTools {
  readonly read: (file: string) => Call;
  readonly write: (file: string, content: string) => Call;
  readonly shell: (command: string) => Call;
}

const description = 'as scripted';
/** A file by a here-document, which no text of this proof ends. */
export const hereDocument = (file: string, content: string): string =>
  `cat > ${file} <<'END_OF_FILE'\n${content}\nEND_OF_FILE`;

const bash =
  (name: string, key = 'command') =>
  (command: string): Call => ({ name, input: { [key]: command, description } });
const codexShell = (cmd: string): Call => ({ name: 'exec_command', input: { cmd } });

const OPENCODE: AgentTools = {
  read: (file) => ({ name: 'read', input: { filePath: file } }),
  write: (file, content) => ({ name: 'write', input: { filePath: file, content } }),
  shell: bash('bash'),
};

/** By the program. */
export const AGENT_TOOLS: Readonly<Record<string, AgentTools>> = {
  claude: {
    read: (file) => ({ name: 'Read', input: { file_path: file } }),
    write: (file, content) => ({ name: 'Write', input: { file_path: file, content } }),
    shell: bash('Bash'),
  },
  codex: {
    read: (file) => codexShell(`cat ${file}`),
    write: (file, content) => codexShell(hereDocument(file, content)),
    shell: codexShell,
  },
  gemini: {
    read: (file) => ({ name: 'read_file', input: { file_path: file } }),
    write: (file, content) => ({ name: 'write_file', input: { file_path: file, content } }),
    shell: bash('run_shell_command'),
  },
  opencode: OPENCODE,
  kilo: OPENCODE,
  pi: {
    read: (file) => ({ name: 'read', input: { path: file } }),
    write: (file, content) => ({ name: 'write', input: { path: file, content } }),
    shell: (command) => ({ name: 'bash', input: { command } }),
  },
};
