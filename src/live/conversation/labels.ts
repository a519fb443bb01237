import type { ToolCallBlock } from '../../content/content.ts';
import { labelOfCall } from '../../content/files/entry-label.ts';
import { type FileAccess, fileAccess } from '../../content/files/file-access.ts';
import { madeOnce } from '../../content/group-by.ts';
import { oneLine } from '../../content/lines/one-line.ts';
import type { ToolVocabulary } from '../../content/vocabularies/vocabulary.ts';

const LABEL_CHARACTERS = 60;

/** Names of calls in markers, and the files that they use. */
export interface Labels {
  call(call: ToolCallBlock | undefined): string;
  files(call: ToolCallBlock): FileAccess;
}

export function labelsOf(vocabulary: ToolVocabulary, workspaceRoot: string): Labels {
  const access = new WeakMap<ToolCallBlock, FileAccess>();
  return {
    call: (call) => (call === undefined ? 'call' : oneLine(labelOfCall(call, vocabulary), LABEL_CHARACTERS)),
    files: (call) =>
      madeOnce(access, call, () => fileAccess(call, vocabulary, workspaceRoot, { includesShellWrites: true })),
  };
}
