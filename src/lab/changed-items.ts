import type { ContentBlock, IContent, ToolCallBlock } from '../content/content.ts';
import type { FileAccessOf } from '../content/files/cached-file-access.ts';
import { type FileAccess, fileAccess } from '../content/files/file-access.ts';
import { PRUNED_RESULT } from '../content/pruned-result.ts';
import type { ToolVocabulary } from '../content/vocabularies/vocabulary.ts';

/** Why something was taken away. */
export const CHANGE_RULES = [
  'staleRead',
  'supersededRead',
  'repeatedInclusion',
  'recency',
  'summarised',
  'dropped',
  'changedLines',
] as const;
export type ChangeRule = (typeof CHANGE_RULES)[number];

/** A block that a step took away, or put another in place of. */
export interface ChangedItem {
  readonly rule: ChangeRule;
  /** Number of its entry in the history before the step. */
  readonly entry: number;
  readonly block: ContentBlock;
  readonly replacement?: ContentBlock;
}

/** An entry that a step changed; `after` is absent where it is gone. */
export interface ChangedEntry {
  readonly index: number;
  readonly before: IContent;
  readonly after?: IContent | undefined;
}

export interface ChangeContext {
  readonly kind: 'optimized' | 'compressed';
  readonly vocabulary: ToolVocabulary;
  readonly workspaceRoot: string;
  readonly includesShellWrites: boolean;
  /** One that remembers what it said, where the same calls are asked about again. */
  readonly fileAccess?: FileAccessOf;
}

/** The entries of `before` that are not in `after` as they were; entries are matched by identity, then by `metadata.id`. Linear. */
export function changedEntries(before: readonly IContent[], after: readonly IContent[]): ChangedEntry[] {
  const kept = new Set(after);
  const byId = new Map(after.map((entry) => [entry.metadata?.id, entry]));
  return before.flatMap((entry, index) => {
    if (kept.has(entry)) return [];
    const id = entry.metadata?.id;
    return [{ index, before: entry, after: id === undefined ? undefined : byId.get(id) }];
  });
}

/**
 * What a step took away, block by block, with the rule that did it; `changes` stand in the order of the history. Linear in
 * what changed, and in the history behind the first call that went.
 */
export function changedItems(
  history: readonly IContent[],
  changes: readonly ChangedEntry[],
  context: ChangeContext,
): ChangedItem[] {
  const gone = changes.flatMap(pairedBlocks);
  const staleIds = context.kind === 'optimized' ? staleCalls(history, gone, context) : new Map<string, boolean>();
  return gone.map((pair): ChangedItem => {
    const { change, block, replacement } = pair;
    const rule = context.kind === 'optimized' ? pruningRule(pair, staleIds) : change.after ? 'summarised' : 'dropped';
    return replacement ? { rule, entry: change.index, block, replacement } : { rule, entry: change.index, block };
  });
}

function pruningRule({ change, block, replacement }: GoneBlock, staleIds: ReadonlyMap<string, boolean>): ChangeRule {
  if (change.before.speaker === 'human') return 'repeatedInclusion';
  if (replacement?.type === 'tool_response') return replacement.result === PRUNED_RESULT ? 'recency' : 'changedLines';
  const id = block.type === 'tool_call' ? block.id : block.type === 'tool_response' ? block.callId : undefined;
  return id !== undefined && staleIds.get(id) === false ? 'supersededRead' : 'staleRead';
}

interface GoneBlock {
  readonly change: ChangedEntry;
  readonly block: ContentBlock;
  /** Came in its place. */
  readonly replacement: ContentBlock | undefined;
}

/** The blocks of an entry that are gone. */
function pairedBlocks(change: ChangedEntry): GoneBlock[] {
  const { before, after } = change;
  if (after === undefined) return before.blocks.map((block) => ({ change, block, replacement: undefined }));
  const [had, has] = [new Set(before.blocks), new Set(after.blocks)];
  const come = after.blocks.filter((block) => !had.has(block));
  const gone = before.blocks.filter((block) => !has.has(block));
  return gone.map((block) => {
    const at = come.findIndex((other) => isInPlaceOf(other, block));
    return { change, block, replacement: at === -1 ? undefined : come.splice(at, 1)[0] };
  });
}

function isInPlaceOf(one: ContentBlock, other: ContentBlock): boolean {
  if (one.type === 'tool_response') return other.type === 'tool_response' && one.callId === other.callId;
  return one.type === other.type;
}

/** Of the calls that are gone, by id: whether each file that they read is written behind them. */
function staleCalls(
  history: readonly IContent[],
  gone: readonly GoneBlock[],
  { vocabulary, workspaceRoot, includesShellWrites, fileAccess: accessOf = fileAccess }: ChangeContext,
): ReadonlyMap<string, boolean> {
  const stale = new Map<string, boolean>();
  /** By file: the last entry that writes it. */
  let latest: Map<string, number> | undefined;
  for (const { change, block, replacement } of gone) {
    const { index } = change;
    if (block.type !== 'tool_call' || replacement !== undefined) continue;
    latest ??= latestWrites(history, index, (call) =>
      accessOf(call, vocabulary, workspaceRoot, { includesShellWrites }),
    );
    const { reads } = accessOf(block, vocabulary, workspaceRoot);
    stale.set(
      block.id,
      reads.every((file) => (latest!.get(file) ?? -1) > index),
    );
  }
  return stale;
}

/** The last entries that write each file, from entry `from` on. */
function latestWrites(
  history: readonly IContent[],
  from: number,
  accessOf: (call: ToolCallBlock) => FileAccess,
): Map<string, number> {
  const latest = new Map<string, number>();
  for (let entry = from; entry < history.length; entry++) {
    for (const block of history[entry]!.blocks) {
      if (block.type === 'tool_call') for (const file of accessOf(block).writes) latest.set(file, entry);
    }
  }
  return latest;
}
