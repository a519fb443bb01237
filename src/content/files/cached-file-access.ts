import type { ToolCallBlock } from '../content.ts';
import type { ToolVocabulary } from '../vocabularies/vocabulary.ts';
import { type FileAccessVariants, type fileAccess, fileAccessVariants } from './file-access.ts';

/** How the files of a call are found. */
export type FileAccessOf = typeof fileAccess;

interface Remembered {
  readonly readings: FileAccessVariants;
  readonly vocabulary: ToolVocabulary;
  readonly workspaceRoot: string;
}

/**
 * A `fileAccess` that keeps its answer for as long as the call lives: for who plays one session several times. Calls
 * are immutable.
 */
export function cachedFileAccess(): FileAccessOf {
  const known = new WeakMap<ToolCallBlock, Remembered>();
  return (call, vocabulary, workspaceRoot, options) => {
    let kept = known.get(call);
    if (kept?.vocabulary !== vocabulary || kept.workspaceRoot !== workspaceRoot) {
      kept = { readings: fileAccessVariants(call, vocabulary, workspaceRoot), vocabulary, workspaceRoot };
      known.set(call, kept);
    }
    return options?.includesShellWrites ? kept.readings.withShellWrites : kept.readings.plain;
  };
}
