import type { IContent, ToolCallBlock, ToolResponseBlock } from '../content.ts';
import { linkCalls } from './call-links.ts';
import { errorOf } from './error-of.ts';

/** A call at `history[entry].blocks[block]` and all its results, in order. */
export interface PairedCall {
  readonly entry: number;
  readonly block: number;
  readonly call: ToolCallBlock;
  readonly responses: readonly PairedResponse[];
}

/** A result at `history[entry].blocks[block]`; `call` is `undefined` for an orphan. */
export interface PairedResponse {
  readonly entry: number;
  readonly block: number;
  readonly response: ToolResponseBlock;
  readonly call: PairedCall | undefined;
}

/** All calls and all results of a history, in order. */
export interface Pairing {
  readonly calls: readonly PairedCall[];
  readonly responses: readonly PairedResponse[];
}

const NO_RESPONSES: PairedResponse[] = [];

/** The calls of a history with their results, paired as in `linkCalls`. Linear in blocks. */
export function pairCalls(history: readonly IContent[]): Pairing {
  const links = linkCalls(history);
  const calls = links.callEntry.map((entry, at): Omit<PairedCall, 'responses'> & { responses: PairedResponse[] } => {
    const block = links.callBlock[at]!;
    return { entry, block, call: history[entry]!.blocks[block] as ToolCallBlock, responses: NO_RESPONSES };
  });
  const responses = links.responseEntry.map((entry, at): PairedResponse => {
    const block = links.responseBlock[at]!;
    const call = calls[links.responseCall[at]!];
    const paired = { entry, block, response: history[entry]!.blocks[block] as ToolResponseBlock, call };
    if (call?.responses === NO_RESPONSES) call.responses = [paired];
    else call?.responses.push(paired);
    return paired;
  });
  return { calls, responses };
}

/** The calls without a result, in order. */
export function unansweredCalls(pairing: Pairing): PairedCall[] {
  return pairing.calls.filter((call) => call.responses.length === 0);
}

/** The results without a call, in order. */
export function orphanResponses(pairing: Pairing): PairedResponse[] {
  return pairing.responses.filter((response) => response.call === undefined);
}

/** Values of `providerMetadata.status`, which formats set, for a call that was not carried out. */
const STATUS_NOT_DONE: ReadonlySet<unknown> = new Set(['cancelled', 'preview']);

/** True if a call failed, was cancelled or was a preview: by `error` or by the status of its format, never by its text. */
export function isFailure(response: ToolResponseBlock): boolean {
  return errorOf(response) !== undefined || STATUS_NOT_DONE.has(response.providerMetadata?.['status']);
}

/**
 * The blocks that belong to the result at `block`, as `[start, end)`. In a tool entry these are the result and the text,
 * media and code after it, and for the first result also those before it; in other entries only the result.
 */
export function responseExtent(content: IContent, block: number): readonly [start: number, end: number] {
  if (content.speaker !== 'tool') return [block, block + 1];
  const { blocks } = content;
  let end = block + 1;
  while (end < blocks.length && isAttachment(blocks[end]!.type)) end++;
  let start = block;
  while (start > 0 && isAttachment(blocks[start - 1]!.type)) start--;
  return [start === 0 ? 0 : block, end];
}

function isAttachment(type: IContent['blocks'][number]['type']): boolean {
  return type === 'text' || type === 'media' || type === 'code';
}

/** An id for each of `ids`, none twice: its own where it is the first, else its own with a number. Linear. */
export function uniqueIds(ids: readonly string[]): string[] {
  const taken = new Set<string>();
  return ids.map((id) => {
    const own = id || 'call';
    let free = own;
    for (let count = 2; taken.has(free); count++) free = `${own}_${count}`;
    taken.add(free);
    return free;
  });
}
