/** The absolute paths that a shell script surely reads and writes; `readsOnly`: it does nothing beyond these reads. */
export interface ShellAccess {
    readonly reads: readonly string[];
    readonly writes: readonly string[];
    readonly readsOnly: boolean;
}
/**
 * What a script touches, conservatively: `cat`, `sed -n`, `nl`, `head` and `tail` of concrete paths read; a
 * redirection or `tee` into a concrete file and `apply_patch` write; nothing else is either. `directory` is absolute,
 * or `undefined` when relative paths cannot be resolved.
 */
export declare function shellAccess(scripts: readonly (string | readonly string[])[], directory: string | undefined): ShellAccess;
