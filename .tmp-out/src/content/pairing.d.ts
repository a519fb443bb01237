import type { IContent, ToolCallBlock, ToolResponseBlock } from './content.ts';
/** A tool call at `history[entry].blocks[block]` and every response that belongs to it; the first one answered it. */
export interface PairedCall {
    readonly entry: number;
    readonly block: number;
    readonly call: ToolCallBlock;
    readonly responses: readonly PairedResponse[];
}
/** A response at `history[entry].blocks[block]`; `call` is `undefined` for an orphan. */
export interface PairedResponse {
    readonly entry: number;
    readonly block: number;
    readonly response: ToolResponseBlock;
    readonly call: PairedCall | undefined;
}
/** All calls and responses of a history, both in the order of the history. */
export interface Pairing {
    readonly calls: readonly PairedCall[];
    readonly responses: readonly PairedResponse[];
}
/**
 * Which call each response answers: the nearest earlier unanswered call with its id, because real histories reuse
 * ids. A further response to an id whose calls are all answered belongs to the nearest earlier call with that id.
 * Linear in blocks. Source: DESIGN section 4, row 7.
 */
export declare function pairCalls(history: readonly IContent[]): Pairing;
/** The calls that no response answers, in order. */
export declare function unansweredCalls(pairing: Pairing): PairedCall[];
/** The responses that answer no call, in order. */
export declare function orphanResponses(pairing: Pairing): PairedResponse[];
/** Whether a call failed, was cancelled or was a preview: by its `error` or the status its format sets, never by its words. */
export declare function isFailure(response: ToolResponseBlock): boolean;
/**
 * The blocks of `content` that go when the response at `block` goes, as `[start, end)`. In a tool entry the text,
 * media and code after a response belong to it, and what stands before the first response belongs to the first;
 * in other entries a response owns itself alone.
 */
export declare function responseExtent(content: IContent, block: number): readonly [start: number, end: number];
