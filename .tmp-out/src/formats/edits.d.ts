import type { ContentBlock, IContent } from '../content/content.ts';
/** What became of one block of an entry as it was read. */
export type BlockEdit = {
    readonly kind: 'keep';
} | {
    readonly kind: 'drop';
} | {
    readonly kind: 'change';
    readonly block: ContentBlock;
};
/** What became of one entry as it was read. `blocks` has one edit per original block, in order. */
export type EntryEdit = {
    readonly kind: 'keep';
} | {
    readonly kind: 'drop';
} | {
    readonly kind: 'change';
    readonly blocks: readonly BlockEdit[];
};
/** An entry that was not read from the file. */
export interface AddedEntry {
    readonly content: IContent;
    /** `metadata.id` of the entry it stands behind; absent: at the start. */
    readonly afterId?: string;
}
/** The difference between a history as it was read and what is to be written. */
export interface HistoryEdits {
    /** By `metadata.id`, one for every entry that was read. */
    readonly entries: ReadonlyMap<string, EntryEdit>;
    readonly added: readonly AddedEntry[];
}
/**
 * What became of each block of an entry: matched by identity, then by equality, then by type and call id in order.
 * @throws CompressionStrategyError `SESSION_NOT_WRITABLE` when a block has no original, or blocks changed places.
 */
export declare function compareBlocks(before: IContent, after: IContent): BlockEdit[];
/**
 * What became of every entry of `before`, matched by `metadata.id`, and what is new in `after`. O(entries + blocks);
 * facts in `metadata` are not compared.
 * @throws CompressionStrategyError `SESSION_NOT_WRITABLE` when entries changed places, share an id, changed their
 * speaker, or hold blocks that were never read.
 */
export declare function compareHistories(before: readonly IContent[], after: readonly IContent[]): HistoryEdits;
