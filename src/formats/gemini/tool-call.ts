import { append } from '../../content/append.ts';
import type { ToolResponseBlock } from '../../content/content.ts';
import { type Fields, isRecord } from '../../content/foreign-value.ts';
import { CompressionStrategyError } from '../../errors.ts';
import { type ResponseFacts, responseBlock } from '../blocks/tool-result.ts';
import type { JsonChange, JsonPath } from '../json/json-change.ts';
import type { PlacedBlock, PlacedEdit } from '../messages/message-part.ts';
import type { CallIds } from './call-ids.ts';
import { newResponse, responseChanges, responseFacts, withoutOtherError } from './function-response.ts';
import { readPart, responseMedia } from './gemini-content.ts';

/** Statuses of a call that was not carried out; the others are success and those of a running call. */
const FAILED: ReadonlySet<unknown> = new Set(['error', 'cancelled']);

const NO_RESULT: ReadonlySet<unknown> = new Set([undefined, null]);

/** A `functionResponse` in a `result`, its index, and the range of the parts that belong to it. */
interface FoundResponse {
  readonly index: number;
  readonly start: number;
  readonly end: number;
  readonly response: Fields;
}

const responseIn = (part: unknown): Fields | undefined =>
  isRecord(part) && isRecord(part['functionResponse']) ? part['functionResponse'] : undefined;

/**
 * The `functionResponse` of a call in its `result`. After a prompt that failed, the `result` contains the responses of all
 * calls of its message, with those of its namesakes in their order.
 */
function responseOf({ id, result }: Fields, namesakesBefore: number): FoundResponse | undefined {
  if (!Array.isArray(result)) return undefined;
  const responses = result.flatMap((part: unknown, index) => {
    const response = responseIn(part);
    return response ? [{ index, response }] : [];
  });
  const own = responses.flatMap(({ response }, place) => (response['id'] === id ? place : []));
  const place = own[namesakesBefore] ?? own[0] ?? 0;
  const found = responses[place];
  if (!found) return undefined;
  return { ...found, start: place === 0 ? 0 : found.index, end: responses[place + 1]?.index ?? result.length };
}

/** The error of a failed call whose response contains none, from its status. */
function statusError({ status }: Fields): string | undefined {
  return FAILED.has(status) ? `status ${String(status)}` : undefined;
}

function factsOf(call: Fields, found: FoundResponse | undefined): ResponseFacts {
  if (found) {
    const { result, error } = responseFacts(found.response['response']);
    return { result, error: error ?? statusError(call) };
  }
  const { result } = call;
  return { result: Array.isArray(result) ? '' : (result ?? ''), error: statusError(call) };
}

/** The texts and media of a result besides the response in `found`, and the media of that response. */
function attachedTo(
  parts: readonly unknown[],
  at: JsonPath,
  { found, ids }: { found: FoundResponse | undefined; ids: CallIds },
): PlacedBlock[] {
  return parts.flatMap((part, place) => {
    if (found && (place < found.start || place >= found.end)) return [];
    const path = [...at, place];
    if (place === found?.index) return responseMedia(found.response, path);
    return readPart(part, path, ids).filter(({ block }) => block.type === 'media' || block.type === 'text');
  });
}

/** For each call of a message how many calls before it have its id. Linear. */
export function namesakesBefore(calls: readonly unknown[]): readonly number[] {
  const counts = new Map<unknown, number>();
  return calls.map((call) => {
    const id = isRecord(call) ? call['id'] : undefined;
    const before = counts.get(id) ?? 0;
    counts.set(id, before + 1);
    return before;
  });
}

/** A call of a message, and how many calls before it have its id. */
export interface PlacedCall {
  readonly call: Fields;
  readonly path: JsonPath;
  readonly before: number;
}

/** The call at `path`, its id, and its result with media; no result for a running call. */
export function readToolCall(
  { call, path, before }: PlacedCall,
  ids: CallIds,
): { callId: string; call: PlacedBlock; response: readonly PlacedBlock[] } {
  const toolName = typeof call['name'] === 'string' ? call['name'] : 'unknown';
  const parameters = call['args'] ?? {};
  const callId = ids.call(call['id'], toolName, parameters);
  const placed: PlacedBlock = { block: { type: 'tool_call', id: callId, name: toolName, parameters }, path };
  const { result, status } = call;
  if (NO_RESULT.has(result) && !FAILED.has(status)) return { callId, call: placed, response: [] };
  const at = [...path, 'result'];
  const found = responseOf(call, before);
  const answer = responseBlock(callId, toolName, factsOf(call, found));
  const block = status === 'cancelled' ? { ...answer, providerMetadata: { status } } : answer;
  const attached = Array.isArray(result) ? attachedTo(result, at, { found, ids }) : [];
  return { callId, call: placed, response: [{ block, path: at }, ...attached] };
}

function resultChanges({ call, path, before: namesakes }: PlacedCall, after: ToolResponseBlock): JsonChange[] {
  const found = responseOf(call, namesakes);
  const before = factsOf(call, found);
  const isErrorFromStatus =
    before.error !== undefined && responseFacts(found?.response['response']).error === undefined;
  const changes: JsonChange[] =
    isErrorFromStatus && after.error === undefined
      ? [{ kind: 'set', path: [...path, 'status'], value: 'success' }]
      : [];
  const block = withoutOtherError(found?.response['response'], before, after);
  if (!found) return [...changes, { kind: 'set', path: [...path, 'result'], value: [newResponse(block)] }];
  const inner = [...path, 'result', found.index, 'functionResponse', 'response'];
  return [...changes, ...responseChanges(found.response['response'], inner, block)];
}

/**
 * The changes of the call at `path` for these edits of its blocks, the call first; it is removed with its last block.
 * @throws CompressionStrategyError `SESSION_NOT_WRITABLE` if a result is kept without its call: they are one object.
 */
export function toolCallChanges(placed: PlacedCall, edits: readonly PlacedEdit[]): 'remove' | JsonChange[] {
  const { call, path } = placed;
  const [asked, answered, ...attached] = edits;
  if (edits.every(({ edit }) => edit.kind === 'drop')) return 'remove';
  if (asked?.edit.kind === 'drop')
    throw new CompressionStrategyError(
      `Expected the result ${JSON.stringify(call['id'])} to be removed with its call, got the result alone: they are one object in a Gemini CLI recording. The file is not written.`,
      'SESSION_NOT_WRITABLE',
    );
  const changes: JsonChange[] = [];
  if (asked?.edit.kind === 'change' && asked.edit.block.type === 'tool_call') {
    const { name, parameters } = asked.edit.block;
    if (name !== call['name']) changes.push({ kind: 'set', path: [...path, 'name'], value: name });
    changes.push({ kind: 'set', path: [...path, 'args'], value: parameters });
  }
  if (answered?.edit.kind === 'drop')
    return [
      ...changes,
      { kind: 'remove', path: [...path, 'result'] },
      { kind: 'set', path: [...path, 'status'], value: 'executing' },
    ];
  if (answered?.edit.kind === 'change' && answered.edit.block.type === 'tool_response')
    append(changes, resultChanges(placed, answered.edit.block));
  for (const { edit, path: place } of attached) if (edit.kind === 'drop') changes.push({ kind: 'remove', path: place });
  return changes;
}
