import type { ToolResponseBlock } from '../../content/content.ts';
import { isRecord } from '../../content/vocabulary.ts';
import { CompressionStrategyError } from '../../errors.ts';
import { readParts } from '../gemini-content.ts';
import type { JsonChange, JsonPath } from '../json-splice.ts';
import type { PlacedBlock, PlacedEdit } from '../message-part.ts';
import type { CallIds } from './call-ids.ts';
import { newResponse, responseChanges, responseFacts } from './function-response.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Statuses of a call that did not do what it was asked to; the others are success and those of a call under way. */
const FAILED: ReadonlySet<unknown> = new Set(['error', 'cancelled']);

const NO_RESULT: ReadonlySet<unknown> = new Set([undefined, null]);

/** The index of the response in a `result`, and what stands in its `response`. */
function responseOf(result: unknown): { index: number; response: unknown } | undefined {
  if (!Array.isArray(result)) return undefined;
  const index = result.findIndex((part) => isRecord(part) && isRecord(part['functionResponse']));
  return index === -1 ? undefined : { index, response: result[index].functionResponse.response };
}

/** A failed call says so in its response; one that says nothing there says it by its status. */
function statusError(call: Fields, error: string | undefined): string | undefined {
  return error === undefined && FAILED.has(call['status']) ? `status ${String(call['status'])}` : undefined;
}

function factsOf(call: Fields): Pick<ToolResponseBlock, 'result' | 'error' | 'providerMetadata'> {
  const { result, status } = call;
  const found = responseOf(result);
  const facts: { result: unknown; error?: string } = found
    ? responseFacts(found.response)
    : { result: Array.isArray(result) ? '' : (result ?? '') };
  const error = facts.error ?? statusError(call, facts.error);
  return {
    result: facts.result,
    ...(error !== undefined && { error }),
    ...(status === 'cancelled' && { providerMetadata: { status } }),
  };
}

/** The call that stands at `path` and the response in it with its media: none while the call is under way. */
export function readToolCall(
  call: Fields,
  path: JsonPath,
  ids: CallIds,
): { call: PlacedBlock; response: readonly PlacedBlock[] } {
  const toolName = typeof call['name'] === 'string' ? call['name'] : 'unknown';
  const parameters = call['args'] ?? {};
  const callId = ids.call(call['id'], toolName, parameters);
  const placed: PlacedBlock = { block: { type: 'tool_call', id: callId, name: toolName, parameters }, path };
  const { result, status } = call;
  if (NO_RESULT.has(result) && !FAILED.has(status)) return { call: placed, response: [] };
  const at = [...path, 'result'];
  const { index } = responseOf(result) ?? { index: -1 };
  const attached = readParts(Array.isArray(result) ? result : [], at, ids).filter(
    ({ block, path: [, , , place] }) => block.type === 'media' || (block.type === 'text' && place !== index),
  );
  return {
    call: placed,
    response: [{ block: { type: 'tool_response', callId, toolName, ...factsOf(call) }, path: at }, ...attached],
  };
}

function resultChanges(call: Fields, path: JsonPath, after: ToolResponseBlock): JsonChange[] {
  const before = factsOf(call);
  const isTold = before.error !== undefined && responseFacts(responseOf(call['result'])?.response).error === undefined;
  const changes: JsonChange[] =
    isTold && after.error === undefined ? [{ kind: 'set', path: [...path, 'status'], value: 'success' }] : [];
  const { error, ...rest } = after;
  const block: ToolResponseBlock = isTold && error === before.error ? rest : after;
  const found = responseOf(call['result']);
  if (!found) return [...changes, { kind: 'set', path: [...path, 'result'], value: [newResponse(block)] }];
  const inner = [...path, 'result', found.index, 'functionResponse', 'response'];
  return [...changes, ...responseChanges(found.response, inner, block)];
}

/**
 * How the call at `path` changes when its blocks, the call first, are edited so: it goes when all of them do.
 * @throws CompressionStrategyError `SESSION_NOT_WRITABLE` when the response stays and its call goes: they are one object.
 */
export function toolCallChanges(call: Fields, path: JsonPath, edits: readonly PlacedEdit[]): 'remove' | JsonChange[] {
  const [asked, answered, ...attached] = edits;
  if (edits.every(({ edit }) => edit.kind === 'drop')) return 'remove';
  if (asked?.edit.kind === 'drop')
    throw new CompressionStrategyError(
      `Expected the response ${JSON.stringify(call['id'])} to go with its call, got it alone: in a Gemini CLI recording the two are one object. The file is not written.`,
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
    changes.push(...resultChanges(call, path, answered.edit.block));
  for (const { edit, path: place } of attached) if (edit.kind === 'drop') changes.push({ kind: 'remove', path: place });
  return changes;
}
