/** The files that a patch in Codex syntax writes, as it names them: updated, added, deleted, moved from and moved to. */
export declare function patchedFiles(patch: string): string[];
/** The files of all patches in a JavaScript source that hands them to `tools.apply_patch`; literal paths only. */
export declare function patchedFilesOfScript(source: string): string[];
