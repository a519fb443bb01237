import type { Said } from '../../../src/strict-provider/contract.ts';

/** How one agent installs a plugin, and what its tools are called. */
export interface Installer {
  readonly install: readonly (readonly string[])[];
  /** What a person answers once, when the hooks are new. */
  readonly trust: readonly string[];
  readonly read: (file: string) => Call;
  readonly edit: (file: string, round: number) => Call;
  /** A search and a list of files, whose results get another form; none in Codex. */
  readonly shaped: readonly Call[];
  /** Edits, each with a read after it: Codex shows a third of a long output. */
  readonly rounds: number;
  readonly recall: Pick<Call, 'name' | 'namespace'>;
  /** Folder of its transcripts in its home. */
  readonly transcripts: string;
}

type Call = NonNullable<Said['calls']>[number];

const shell = (cmd: string): Call => ({ name: 'exec_command', input: { cmd } });

/** By the program; `root` is the folder of the marketplace. */
export const installers = (root: string): Readonly<Record<string, Installer>> => ({
  claude: {
    install: [
      ['plugin', 'marketplace', 'add', root],
      ['plugin', 'install', 'density@high-density'],
    ],
    trust: [],
    read: (file) => ({ name: 'Read', input: { file_path: file } }),
    edit: (file, round) => ({
      name: 'Edit',
      input: { file_path: file, old_string: `mark ${round}`, new_string: `mark ${round + 1}` },
    }),
    shaped: ['grep -rn needle src', 'find src -type f'].map((command) => ({
      name: 'Bash',
      input: { command, description: 'as scripted' },
    })),
    rounds: 1,
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
    edit: (file, round) => shell(`sed -i 's/mark ${round}/mark ${round + 1}/' ${file}`),
    shaped: [],
    rounds: 5,
    recall: { name: 'recall', namespace: 'mcp__density' },
    transcripts: '.codex/sessions',
  },
});
