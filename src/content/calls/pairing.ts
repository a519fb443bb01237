import type { IContent, ToolCallBlock, ToolResponseBlock } from '../content.ts';
import { addTo } from '../group-by.ts';
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

/** A call whose results are still added. */
type OpenCall = Omit<PairedCall, 'responses'> & { responses: PairedResponse[] };

const NO_RESPONSES: PairedResponse[] = [];

/**
 * The calls of a history with their results. The call of a result is the nearest earlier call with its id that has no
 * result yet, because real histories reuse ids; if all have one, the nearest earlier call with that id. Linear in blocks.
 * Source: docs/readings.md, row 7.
 */
export function pairCalls(history: readonly IContent[]): Pairing {
  const calls: OpenCall[] = [];
  const responses: PairedResponse[] = [];
  /** By id: the latest call, and those without a result that are earlier than it. */
  const latest = new Map<string, OpenCall>();
  const unanswered = new Map<string, OpenCall[]>();
  for (const [entry, { blocks }] of history.entries()) {
    for (const [block, item] of blocks.entries()) {
      if (item.type === 'tool_call') {
        const earlier = latest.get(item.id);
        const call: OpenCall = { entry, block, call: item, responses: NO_RESPONSES };
        if (earlier?.responses.length === 0) addTo(unanswered, item.id, earlier);
        latest.set(item.id, call);
        calls.push(call);
      } else if (item.type === 'tool_response') {
        const last = latest.get(item.callId);
        const call = last?.responses.length === 0 ? last : (unanswered.get(item.callId)?.pop() ?? last);
        const response: PairedResponse = { entry, block, response: item, call };
        if (call?.responses === NO_RESPONSES) call.responses = [response];
        else call?.responses.push(response);
        responses.push(response);
      }
    }
  }
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
