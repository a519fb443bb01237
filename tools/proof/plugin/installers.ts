import type { Said } from '../../../src/strict-provider/contract.ts';

/** How one agent installs a plugin, and what its tools are called. */
export interface Installer {
  readonly install: readonly (readonly string[])[];
  /** What a person answers once, when the hooks are new. */
  readonly trust: readonly string[];
  readonly read: (file: string) => Call;
  /** Another first line. */
  readonly edit: (file: string) => Call;
  /** A search and a list of files, whose results get another form; none in Codex. */
  readonly shaped: readonly Call[];
  /** Reports of programs, which are stale soon: Codex shows a third of a long output. */
  readonly reports: readonly Call[];
  readonly recall: Pick<Call, 'name' | 'namespace'>;
  /** Folder of its transcripts in its home. */
  readonly transcripts: string;
}

type Call = NonNullable<Said['calls']>[number];

const bash = (command: string): Call => ({ name: 'Bash', input: { command, description: 'as scripted' } });
const shell = (cmd: string): Call => ({ name: 'exec_command', input: { cmd } });

const reports = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => `seq -f 'report ${at} has an ordinary line %g' 1 600`);

/** By the program; `root` is the folder of the marketplace. */
export const installers = (root: string): Readonly<Record<string, Installer>> => ({
  claude: {
    install: [
      ['plugin', 'marketplace', 'add', root],
      ['plugin', 'install', 'density@high-density'],
    ],
    trust: [],
    read: (file) => ({ name: 'Read', input: { file_path: file } }),
    edit: (file) => ({ name: 'Edit', input: { file_path: file, old_string: 'mark 0', new_string: 'mark 1' } }),
    shaped: ['grep -rn needle src', 'find src -type f'].map(bash),
    reports: reports(2).map(bash),
    recall: { name: 'mcp__plugin_density_density__recall' },
    transcripts: '.claude/projects',
  },
  codex: {
    install: [
      ['plugin', 'marketplace', 'add', root],
      ['plugin', 'add', 'density@high-density'],
    ],
    trust: ['--dangerously-bypass-hook-trust'],
    read: (file) => shell(`cat ${file}`),
    edit: (file) => shell(`sed -i 's/mark 0/mark 1/' ${file}`),
    shaped: [],
    reports: reports(5).map(shell),
    recall: { name: 'recall', namespace: 'mcp__density' },
    transcripts: '.codex/sessions',
  },
});
