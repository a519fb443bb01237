import type { ToolCallBlock } from './content.ts';
import { type FileAccess, fileAccess } from './file-access.ts';
import { type ToolVocabulary, toolDefinition } from './vocabulary.ts';

/** How the files of a call are found. */
export type FileAccessOf = typeof fileAccess;

interface Remembered {
  readonly access: FileAccess;
  readonly vocabulary: ToolVocabulary;
  readonly workspaceRoot: string;
}

/**
 * A `fileAccess` that keeps its answer for as long as the call lives: for who plays one session several times. Calls
 * are immutable.
 */
export function rememberedFileAccess(): FileAccessOf {
  const plain = new WeakMap<ToolCallBlock, Remembered>();
  const withWriters = new WeakMap<ToolCallBlock, Remembered>();
  return (call, vocabulary, workspaceRoot, options) => {
    const isShell = toolDefinition(vocabulary, call.name)?.parser === 'shell';
    const known = isShell && options?.seesShellWriters ? withWriters : plain;
    const kept = known.get(call);
    if (kept?.vocabulary === vocabulary && kept.workspaceRoot === workspaceRoot) return kept.access;
    const access = fileAccess(call, vocabulary, workspaceRoot, options);
    known.set(call, { access, vocabulary, workspaceRoot });
    return access;
  };
}
