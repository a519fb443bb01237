import type { ContentBlock, IContent, ToolCallBlock } from '../../content/content.ts';
import { type FileAccess, fileAccess } from '../../content/file-access.ts';
import type { FileAccessOf } from '../../content/remembered-access.ts';
import type { ToolVocabulary } from '../../content/vocabulary.ts';
import { PRUNED_RESULT } from '../../strategies/high-density/recency.ts';

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
  readonly seesShellWriters: boolean;
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
  const gone = changes.flatMap((change) => pairedBlocks(change).map((pair) => ({ ...change, ...pair })));
  const staleIds = context.kind === 'optimized' ? staleCalls(history, gone, context) : new Map<string, boolean>();
  return gone.map(({ index, before, after, block, replacement }): ChangedItem => {
    const item = { entry: index, block, ...(replacement && { replacement }) };
    if (context.kind === 'compressed') return { ...item, rule: after === undefined ? 'dropped' : 'summarised' };
    if (before.speaker === 'human') return { ...item, rule: 'repeatedInclusion' };
    if (replacement?.type === 'tool_response' && replacement.result === PRUNED_RESULT)
      return { ...item, rule: 'recency' };
    if (replacement?.type === 'tool_response') return { ...item, rule: 'changedLines' };
    const id = block.type === 'tool_call' ? block.id : block.type === 'tool_response' ? block.callId : undefined;
    return { ...item, rule: id !== undefined && staleIds.get(id) === false ? 'supersededRead' : 'staleRead' };
  });
}

/** The blocks of an entry that are gone, each with the one that came in its place. */
function pairedBlocks({ before, after }: ChangedEntry): { block: ContentBlock; replacement?: ContentBlock }[] {
  if (after === undefined) return before.blocks.map((block) => ({ block }));
  const [had, has] = [new Set(before.blocks), new Set(after.blocks)];
  const come = after.blocks.filter((block) => !had.has(block));
  return before.blocks
    .filter((block) => !has.has(block))
    .map((block) => {
      const at = come.findIndex((other) => isInPlaceOf(other, block));
      return at === -1 ? { block } : { block, replacement: come.splice(at, 1)[0]! };
    });
}

function isInPlaceOf(one: ContentBlock, other: ContentBlock): boolean {
  if (one.type === 'tool_response') return other.type === 'tool_response' && one.callId === other.callId;
  return one.type === other.type;
}

/** Of the calls that are gone, by id: whether each file that they read is written behind them. */
function staleCalls(
  history: readonly IContent[],
  gone: readonly { readonly index: number; readonly block: ContentBlock; readonly replacement?: ContentBlock }[],
  { vocabulary, workspaceRoot, seesShellWriters, fileAccess: accessOf = fileAccess }: ChangeContext,
): ReadonlyMap<string, boolean> {
  const stale = new Map<string, boolean>();
  /** By file: the last entry that writes it. */
  let latest: Map<string, number> | undefined;
  for (const { index, block, replacement } of gone) {
    if (block.type !== 'tool_call' || replacement !== undefined) continue;
    latest ??= latestWrites(history, index, (call) => accessOf(call, vocabulary, workspaceRoot, { seesShellWriters }));
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
