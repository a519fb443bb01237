import type { ToolCallBlock } from '../content.ts';
import type { ToolVocabulary } from '../vocabularies/vocabulary.ts';
import { type FileAccessVariants, type fileAccess, fileAccessVariants } from './file-access.ts';

/** Finds the files that a call reads and writes. */
export type FileAccessOf = typeof fileAccess;

interface CachedAccess {
  readonly variants: FileAccessVariants;
  readonly vocabulary: ToolVocabulary;
  readonly workspaceRoot: string;
}

/**
 * A `fileAccess` that caches its result for the life of each call, for code that replays one session several times.
 * Calls are immutable.
 */
export function cachedFileAccess(): FileAccessOf {
  const cache = new WeakMap<ToolCallBlock, CachedAccess>();
  return (call, vocabulary, workspaceRoot, options) => {
    let cached = cache.get(call);
    if (cached?.vocabulary !== vocabulary || cached.workspaceRoot !== workspaceRoot) {
      cached = { variants: fileAccessVariants(call, vocabulary, workspaceRoot), vocabulary, workspaceRoot };
      cache.set(call, cached);
    }
    return options?.includesShellWrites ? cached.variants.withShellWrites : cached.variants.plain;
  };
}
