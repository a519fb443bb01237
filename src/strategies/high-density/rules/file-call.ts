import { readsLikeFailure } from '../../../content/calls/failure-text.ts';
import { isFailure, pairCalls } from '../../../content/calls/pairing.ts';
import type { IContent, ToolCallBlock, ToolResponseBlock } from '../../../content/content.ts';
import type { FileAccessOf } from '../../../content/files/cached-file-access.ts';
import { resolvePath } from '../../../content/files/workspace-path.ts';
import { isPruned } from '../../../content/pruned-result.ts';
import type { ToolVocabulary } from '../../../content/vocabularies/vocabulary.ts';
import { type BlockPlace, type CallPlace, compareBlocks } from '../../reasons/call-place.ts';
import { shownLines } from '../lines/shown-lines.ts';
import { mayHaveNotes } from '../repeated-lines/line-notes.ts';
import { type AttachedRead, attachedRead, isLeftOut } from './attached-read.ts';

/** Tells files apart: the absolute path, or a number instead of it. */
export type FileKey = string | number;

/** A tool call, its results in the order of the history, and its files by their absolute paths. */
export interface FileCall extends BlockPlace {
  readonly call: ToolCallBlock;
  readonly responses: readonly CallResponse[];
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** The keys of `reads` and `writes`, in the same order. */
  readonly readKeys: readonly FileKey[];
  readonly writeKeys: readonly FileKey[];
  /** True if it only reads files. */
  readonly isPureRead: boolean;
  readonly isAnswered: boolean;
  /** True unless every result of it is an error. A pending call counts as done (docs/readings.md, row 2). */
  readonly mayHaveHappened: boolean;
}

export interface CallResponse extends BlockPlace, ResponseFacts {
  readonly response: ToolResponseBlock;
}

/** What the rules read of a response. */
export interface ResponseFacts {
  readonly isFailure: boolean;
  /** True if its result is already the marker. */
  readonly isPruned: boolean;
  /** True if notes in its result may name lines of earlier results. */
  readonly hasNotes: boolean;
}

/** An error may be only words, if the agent hides it. */
export const responseFacts = (response: ToolResponseBlock, { hidesFailures }: ToolVocabulary): ResponseFacts => ({
  isFailure: isFailure(response) || (hidesFailures === true && readsLikeFailure(response)),
  isPruned: isPruned(response.result),
  hasNotes: mayHaveNotes(response.result),
});

/** What counts as a call that touches files. */
export interface FileCallReading {
  readonly vocabulary: ToolVocabulary;
  /** As for `fileAccess`. */
  readonly includesShellWrites: boolean;
  /** Files that the agent put into user turns count as reads. */
  readonly includesAttachedReads: boolean;
  readonly workspaceRoot: string;
}

/** The calls of a history, in order. Linear in blocks and in the parameters of calls. */
export function fileCalls(
  history: readonly IContent[],
  { vocabulary, includesShellWrites, includesAttachedReads, workspaceRoot }: FileCallReading,
  accessOf: FileAccessOf,
): FileCall[] {
  const calls = pairCalls(history).calls.map(({ entry, block, call, responses }) => {
    const { reads, writes, isPureRead } = accessOf(call, vocabulary, workspaceRoot, { includesShellWrites });
    const own = responses.map((one) => ({ ...one, ...responseFacts(one.response, vocabulary) }));
    const isAnswered = own.length > 0;
    const mayHaveHappened = !isAnswered || own.some((response) => !response.isFailure);
    const files = { reads, writes, readKeys: reads, writeKeys: writes, isPureRead };
    return { entry, block, call, responses: own, ...files, isAnswered, mayHaveHappened };
  });
  if (!includesAttachedReads) return calls;
  const attached = history.flatMap((content, entry) =>
    content.speaker === 'human'
      ? content.blocks.flatMap((_, block) => attachedCall({ content, entry, block, workspaceRoot }) ?? [])
      : [],
  );
  return attached.length === 0 ? calls : [...calls, ...attached].sort(compareBlocks);
}

/** What an agent attached at a block, as a call that read it. */
function attachedCall({
  content,
  entry,
  block,
  workspaceRoot,
}: BlockPlace & { readonly content: IContent; readonly workspaceRoot: string }): FileCall | undefined {
  const read = attachedRead(content, block);
  if (read === undefined) return undefined;
  const { call, response } = read;
  const reads = [resolvePath(workspaceRoot, read.file)];
  const files = { reads, writes: [], readKeys: reads, writeKeys: [], isPureRead: true };
  const responses = [{ entry, block, response, ...attachedFacts(response) }];
  return { entry, block, call, responses, ...files, isAnswered: true, mayHaveHappened: true };
}

/** What the rules read of what an agent attached. */
export const attachedFacts = (response: AttachedRead['response']): ResponseFacts => ({
  isFailure: false,
  isPruned: isLeftOut(response),
  hasNotes: false,
});

export const placeOfCall = ({ entry, block, call }: FileCall): CallPlace => ({ entry, block, callId: call.id });

/** True if a result of the call is already the marker, so that its lines are unknown. */
export const hasPrunedResult = ({ responses }: FileCall): boolean => responses.some((response) => response.isPruned);

/** The hashes of the lines in all results of a call. */
export function linesShownBy(history: readonly IContent[], { responses }: FileCall): readonly number[] {
  if (responses.length === 1) return shownLines(history[responses[0]!.entry]!, responses[0]!.block);
  return responses.flatMap(({ entry, block }) => shownLines(history[entry]!, block));
}
