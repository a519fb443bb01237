import type { ContentBlock, IContent, Speaker } from '../../content/content.ts';
import type { BlockEdit } from '../edits.ts';
import type { JsonChange, JsonPath } from '../json-splice.ts';
export type Payload = Readonly<Record<string, unknown>>;
/** A call by its id: what an output needs to know of it. */
export interface KnownCall {
    readonly name: string;
    readonly status: unknown;
}
/** One item of the Responses API as a rollout records it. `places` has the path of each block inside the payload. */
export interface Item {
    readonly speaker: Speaker;
    readonly kind: 'message' | 'reasoning' | 'compaction' | 'call' | 'output';
    readonly blocks: readonly ContentBlock[];
    readonly places: readonly JsonPath[];
}
/** An item and where it stands: its line from 1 and, inside a `compacted` line, its index in `replacement_history`. */
export interface PlacedItem {
    readonly item: Item;
    readonly payload: Payload;
    readonly line: number;
    readonly index?: number;
}
/** A live entry and the items it was read from, in order; their blocks joined are the entry's. */
export interface PlacedEntry {
    readonly entry: IContent;
    readonly items: readonly PlacedItem[];
}
/**
 * What one response item says to the model; undefined for one that is not sent. `calls` is filled with the calls met.
 * Items without a block type of their own (a built-in search) become opaque blocks, so that they are counted and kept.
 */
export declare function readItem(payload: Payload, calls: Map<string, KnownCall>): Item | undefined;
/**
 * How `payload` changes when its blocks are edited so: the item goes when all of them do.
 * @throws CompressionStrategyError `SESSION_NOT_WRITABLE` when a block changed that can only be kept or dropped.
 */
export declare function itemChanges(payload: Payload, item: Item, edits: readonly BlockEdit[]): 'remove' | JsonChange[];
