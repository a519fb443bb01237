import type { ToolCallBlock } from './content.ts';
import { type ToolVocabulary } from './vocabulary.ts';
/** Which files a tool call touches. All paths are absolute and normalised. */
export interface FileAccess {
    readonly reads: readonly string[];
    readonly writes: readonly string[];
    /** It reads the files in `reads`, at least one, and does nothing else that anyone could know of. */
    readonly isPureRead: boolean;
    /** Its tool reads or writes files, but its parameters name none (REQ-HD-013.5). */
    readonly isUnrecognized: boolean;
}
/**
 * The files that `call` reads and writes, as far as the vocabulary of its agent knows its tool. Never throws,
 * whatever the parameters are; what cannot be named for certain is left out and the call is then no pure read.
 * `workspaceRoot` is absolute.
 */
export declare function fileAccess(call: ToolCallBlock, vocabulary: ToolVocabulary, workspaceRoot: string): FileAccess;
/**
 * What a call is about in one short line: its path or paths as the model wrote them, its command, or what it looks
 * for. `undefined` when its parameters say nothing of the kind (REQ-HD-008.3).
 */
export declare function keyParameter(call: ToolCallBlock, vocabulary: ToolVocabulary): string | undefined;
