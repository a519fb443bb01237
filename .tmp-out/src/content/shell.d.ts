/** One word of a command. `literal`: the text is what the program gets, no expansion and no glob. */
export interface ShellWord {
    readonly text: string;
    readonly literal: boolean;
}
export interface ShellRedirection {
    readonly direction: 'in' | 'out';
    readonly target: ShellWord;
}
/** One simple command. `conditional`: it stands after `||`, so it may not have run. */
export interface ShellCommand {
    readonly words: readonly ShellWord[];
    readonly redirections: readonly ShellRedirection[];
    readonly hereDocument?: string;
    readonly conditional: boolean;
}
/**
 * The simple commands of a POSIX shell script, in order, over pipes, lists and here-documents. `undefined` when the
 * script uses more than that (compound commands, subshells, substitutions): nothing is guessed then. Linear.
 */
export declare function parseShell(script: string): readonly ShellCommand[] | undefined;
