/** One word of a command. `literal`: the program gets exactly this text, without expansion or glob. */
export interface ShellWord {
  readonly text: string;
  readonly literal: boolean;
}

interface ShellRedirection {
  readonly direction: 'in' | 'out';
  readonly target: ShellWord;
}

/**
 * One simple command. `conditional`: it is behind `||`, so it may not have run. `piped`: it reads what the previous
 * command prints, and both run in shells of their own.
 */
export interface ShellCommand {
  readonly words: readonly ShellWord[];
  readonly redirections: readonly ShellRedirection[];
  readonly hereDocument?: string;
  readonly conditional: boolean;
  readonly piped: boolean;
}
