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

/** The calls made so far with one id: those still unanswered, oldest first, and the latest of all. */
interface CallsOfId {
  readonly unanswered: OpenCall[];
  latest: OpenCall;
}

type OpenCall = PairedCall & { readonly responses: PairedResponse[] };

/**
 * Which call each response answers: the nearest earlier unanswered call with its id, because real histories reuse
 * ids. A further response to an id whose calls are all answered belongs to the nearest earlier call with that id.
 * Linear in blocks. Source: DESIGN section 4, row 7.
 */
export function pairCalls(history: readonly IContent[]): Pairing {
  const calls: PairedCall[] = [];
  const responses: PairedResponse[] = [];
  const byId = new Map<string, CallsOfId>();
  for (let entry = 0; entry < history.length; entry++) {
    const blocks = history[entry]!.blocks;
    for (let block = 0; block < blocks.length; block++) {
      const item = blocks[block]!;
      if (item.type === 'tool_call') {
        const call: OpenCall = { entry, block, call: item, responses: [] };
        calls.push(call);
        const known = byId.get(item.id);
        if (known === undefined) byId.set(item.id, { unanswered: [call], latest: call });
        else {
          known.unanswered.push(call);
          known.latest = call;
        }
      } else if (item.type === 'tool_response') {
        const known = byId.get(item.callId);
        const call = known?.unanswered.pop() ?? known?.latest;
        const response: PairedResponse = { entry, block, response: item, call };
        responses.push(response);
        call?.responses.push(response);
      }
    }
  }
  return { calls, responses };
}

/** The calls that no response answers, in order. */
export function unansweredCalls(pairing: Pairing): PairedCall[] {
  return pairing.calls.filter((call) => call.responses.length === 0);
}

/** The responses that answer no call, in order. */
export function orphanResponses(pairing: Pairing): PairedResponse[] {
  return pairing.responses.filter((response) => response.call === undefined);
}

/** Values of `providerMetadata.status`, which formats set, that say a call did not do what it was asked to. */
const STATUS_NOT_DONE: ReadonlySet<unknown> = new Set(['cancelled', 'preview']);

/** Whether a call failed, was cancelled or was a preview: by its `error` or the status its format sets, never by its words. */
export function isFailure(response: ToolResponseBlock): boolean {
  return typeof response.error === 'string' || STATUS_NOT_DONE.has(response.providerMetadata?.['status']);
}

/**
 * The blocks of `content` that go when the response at `block` goes, as `[start, end)`. In a tool entry the text,
 * media and code after a response belong to it, and what stands before the first response belongs to the first;
 * in other entries a response owns itself alone.
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
