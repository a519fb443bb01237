import type { ContentBlock, IContent, Speaker, ToolCallBlock, ToolResponseBlock } from '../content.ts';
import { errorOf } from './error-of.ts';

/** A call at `history[entry].blocks[block]` and all its results, in order. */
export interface PairedCall {
  readonly entry: number;
  readonly block: number;
  readonly call: ToolCallBlock;
  readonly responses: readonly PairedResponse[];
  /** The calls with its id that were open in the same answer at once, itself among them. */
  readonly namesakes: Namesakes;
}

/** Calls of one answer with one id, in order, and the number of their results. */
export interface Namesakes {
  readonly calls: readonly PairedCall[];
  readonly responseCount: number;
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

interface OpenNamesakes {
  readonly answer: number;
  readonly calls: OpenCall[];
  responseCount: number;
  /** The nearest earlier ones of which a call has no result. */
  before: OpenNamesakes | undefined;
}

const NO_RESPONSES: PairedResponse[] = [];

const isOpen = ({ calls, responseCount }: Namesakes): boolean => responseCount < calls.length;

/**
 * The calls of a history with their results. A result belongs to the nearest earlier answer in which a call with its id has no
 * result yet, and there to the first such call, because real histories reuse ids, also in one answer; if all have one, to the
 * nearest earlier call with that id. Consecutive ai entries are one answer. Linear in blocks. Source: docs/readings.md, row 7.
 */
export function pairCalls(history: readonly IContent[]): Pairing {
  const pairing = new GrowingPairing();
  for (const content of history) {
    pairing.startEntry(content);
    for (const [block, item] of content.blocks.entries()) pairing.add(item, block);
  }
  return pairing;
}

/** The pairing of a history that is read block by block, each for one look-up. */
export class GrowingPairing implements Pairing {
  readonly calls: OpenCall[] = [];
  readonly responses: PairedResponse[] = [];
  readonly #latest = new Map<string, OpenNamesakes>();
  #entry = -1;
  #speaker: Speaker | undefined;
  /** The entry with which the answer of the entry begins. */
  #answer = 0;

  startEntry({ speaker }: Pick<IContent, 'speaker'>): void {
    this.#entry++;
    if (speaker !== 'ai' || this.#speaker !== 'ai') this.#answer = this.#entry;
    this.#speaker = speaker;
  }

  /** Adds a block of the entry; returns what is known of it if it is a result. */
  add(item: ContentBlock, block: number): PairedResponse | undefined {
    if (item.type === 'tool_call') this.#addCall(item, block);
    return item.type === 'tool_response' ? this.#addResponse(item, block) : undefined;
  }

  #addCall(call: ToolCallBlock, block: number): void {
    const answer = this.#answer;
    const last = this.#latest.get(call.id);
    const isSame = last !== undefined && last.answer === answer && isOpen(last);
    const namesakes = isSame ? last : { answer, calls: [], responseCount: 0, before: openOf(last) };
    const paired: OpenCall = { entry: this.#entry, block, call, responses: NO_RESPONSES, namesakes };
    namesakes.calls.push(paired);
    this.#latest.set(call.id, namesakes);
    this.calls.push(paired);
  }

  #addResponse(response: ToolResponseBlock, block: number): PairedResponse {
    const call = nextCall(this.#latest.get(response.callId));
    const paired: PairedResponse = { entry: this.#entry, block, response, call };
    if (call?.responses === NO_RESPONSES) call.responses = [paired];
    else call?.responses.push(paired);
    this.responses.push(paired);
    return paired;
  }
}

const openOf = (last: OpenNamesakes | undefined): OpenNamesakes | undefined =>
  last === undefined || isOpen(last) ? last : last.before;

/** The call that the next result answers, which is counted. */
function nextCall(latest: OpenNamesakes | undefined): OpenCall | undefined {
  if (latest === undefined) return undefined;
  const open = openOf(latest) ?? latest;
  const call = open.calls[Math.min(open.responseCount++, open.calls.length - 1)];
  if (open !== latest && !isOpen(open)) latest.before = open.before;
  return call;
}

/** True if several calls of one answer have its id, and there are more or fewer results: nobody knows which answers which. */
export const isAmbiguous = ({ namesakes: { calls, responseCount } }: PairedCall): boolean =>
  calls.length > 1 && calls.length !== responseCount;

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
