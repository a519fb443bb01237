import { isDeepStrictEqual } from 'node:util';
import type { ContentBlock, IContent } from '../../content/content.ts';
import { groupBy } from '../../content/group-by.ts';
import { CompressionStrategyError } from '../../errors.ts';

/** The edit of one block of an entry that was read. */
export type BlockEdit =
  | { readonly kind: 'keep' }
  | { readonly kind: 'drop' }
  | { readonly kind: 'change'; readonly block: ContentBlock };

/** An entry that was not read from the file. */
interface AddedEntry {
  readonly content: IContent;
  /** `metadata.id` of the previous entry; absent at the start. */
  readonly afterId?: string;
}

/** The difference between a history that was read and the one to be written. */
export interface HistoryEdits {
  /** For each entry that was read, by `metadata.id`: one edit for each of its blocks, in order. */
  readonly entries: ReadonlyMap<string, readonly BlockEdit[]>;
  readonly added: readonly AddedEntry[];
}

const KEEP: BlockEdit = { kind: 'keep' };
const DROP: BlockEdit = { kind: 'drop' };

function refusal(expected: string, id: string): CompressionStrategyError {
  return new CompressionStrategyError(
    `Expected ${expected}, got another in entry ${JSON.stringify(id)}. The file is not written.`,
    'SESSION_NOT_WRITABLE',
  );
}

function sameKind(before: ContentBlock, after: ContentBlock): boolean {
  if (before.type === 'tool_call') return after.type === 'tool_call' && after.id === before.id;
  if (before.type === 'tool_response') return after.type === 'tool_response' && after.callId === before.callId;
  return before.type === after.type;
}

/**
 * The edit of each block of an entry; blocks are matched by identity, then by equality, then by type and call id in order.
 * @throws CompressionStrategyError `SESSION_NOT_WRITABLE` if a block has no original, or the order has changed.
 */
function compareBlocks(before: IContent, after: IContent): BlockEdit[] {
  const id = before.metadata?.id ?? '';
  const edits: BlockEdit[] = before.blocks.map(() => DROP);
  const anchors = anchorsOf(before.blocks, after.blocks);
  const limits = limitsOf(anchors, before.blocks.length);
  let cursor = 0;
  for (const [index, block] of after.blocks.entries()) {
    const anchor = anchors[index];
    if (anchor !== undefined) {
      edits[anchor] = KEEP;
      cursor = anchor + 1;
      continue;
    }
    const limit = limits[index]!;
    let place = cursor;
    while (place < limit && !sameKind(before.blocks[place] as ContentBlock, block)) place++;
    if (place >= limit) throw refusal(`each block to come from one that was read, in the order of the file`, id);
    edits[place] = { kind: 'change', block };
    cursor = place + 1;
  }
  return edits;
}

/** For each place the next anchor behind it, or `end`. */
function limitsOf(anchors: readonly (number | undefined)[], end: number): number[] {
  const limits: number[] = [];
  for (let index = anchors.length - 1, limit = end; index >= 0; limit = anchors[index--] ?? limit)
    limits[index] = limit;
  return limits;
}

/** Equal blocks have the same; it tells most others apart without a comparison in depth. */
function nameOf(block: ContentBlock): string {
  if (block.type === 'text') return block.text;
  if (block.type === 'tool_call') return block.id;
  return block.type === 'tool_response' ? block.callId : block.type;
}

/** For each block of `after`, the position of the same block in `before`, increasing; `undefined` if there is none. */
function anchorsOf(before: readonly ContentBlock[], after: readonly ContentBlock[]): (number | undefined)[] {
  const places = groupBy(before.keys(), (at) => nameOf(before[at]!));
  let cursor = 0;
  return after.map((block) => {
    const own = (places.get(nameOf(block)) ?? []).filter((at) => at >= cursor);
    const place = own.find((at) => before[at] === block) ?? own.find((at) => isDeepStrictEqual(before[at], block));
    if (place !== undefined) cursor = place + 1;
    return place;
  });
}

function compareEntries(before: IContent, after: IContent): BlockEdit[] {
  if (before === after || before.blocks === after.blocks) return before.blocks.map(() => KEEP);
  if (before.speaker !== after.speaker) throw refusal(`speaker "${before.speaker}"`, before.metadata?.id ?? '');
  return compareBlocks(before, after);
}

/**
 * The edits of each entry of `before`, matched by `metadata.id`, and the new entries of `after`. Other metadata is not
 * compared. O(entries + blocks).
 * @throws CompressionStrategyError `SESSION_NOT_WRITABLE` if the order of entries or a speaker has changed, if entries
 * share an id, or if an entry contains a new block.
 */
export function compareHistories(before: readonly IContent[], after: readonly IContent[]): HistoryEdits {
  const places = new Map<string, number>();
  for (const [index, entry] of before.entries()) places.set(entry.metadata?.id ?? '', index);
  const entries = new Map(before.map(({ metadata, blocks }) => [metadata?.id ?? '', blocks.map(() => DROP)]));
  const added: AddedEntry[] = [];
  let previousId: string | undefined;
  let cursor = -1;
  for (const entry of after) {
    const id = entry.metadata?.id;
    const place = id === undefined ? undefined : places.get(id);
    if (id === undefined || place === undefined) {
      added.push({ content: entry, ...(previousId !== undefined && { afterId: previousId }) });
      continue;
    }
    if (place <= cursor) throw refusal('entries in the order in which they were read, each once', id);
    cursor = place;
    previousId = id;
    entries.set(id, compareEntries(before[place] as IContent, entry));
  }
  return { entries, added };
}
