import type { ContentBlock, IContent, ToolCallBlock } from '../../content/content.ts';
import { fileAccess } from '../../content/file-access.ts';
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

/** What a step took away, block by block, with the rule that did it. Linear in what changed, and in the history where a call went. */
export function changedItems(
  history: readonly IContent[],
  changes: readonly ChangedEntry[],
  context: ChangeContext,
): ChangedItem[] {
  const writes = new LaterWrites(history, context);
  const staleIds = new Map<string, boolean>();
  const gone = changes.flatMap((change) => pairedBlocks(change).map((pair) => ({ ...change, ...pair })));
  for (const { index, block, replacement } of gone) {
    if (block.type === 'tool_call' && replacement === undefined) staleIds.set(block.id, writes.follow(block, index));
  }
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

/** Which files are written, and where last; made when it is first asked. */
class LaterWrites {
  readonly #history: readonly IContent[];
  readonly #context: ChangeContext;
  #latest: Map<string, number> | undefined;

  constructor(history: readonly IContent[], context: ChangeContext) {
    this.#history = history;
    this.#context = context;
  }

  /** Whether each file that a call reads is written behind `entry`. */
  follow(call: ToolCallBlock, entry: number): boolean {
    const { vocabulary, workspaceRoot, fileAccess: accessOf = fileAccess } = this.#context;
    this.#latest ??= this.#find();
    const { reads } = accessOf(call, vocabulary, workspaceRoot);
    return reads.every((file) => (this.#latest!.get(file) ?? -1) > entry);
  }

  #find(): Map<string, number> {
    const { vocabulary, workspaceRoot, seesShellWriters, fileAccess: accessOf = fileAccess } = this.#context;
    const latest = new Map<string, number>();
    for (const [entry, { blocks }] of this.#history.entries()) {
      for (const block of blocks) {
        if (block.type !== 'tool_call') continue;
        for (const file of accessOf(block, vocabulary, workspaceRoot, { seesShellWriters }).writes)
          latest.set(file, entry);
      }
    }
    return latest;
  }
}
