import { isDeepStrictEqual } from 'node:util';
import { append } from '../../content/append.ts';
import { callerFacts } from '../../content/calls/for-program.ts';
import type { MediaBlock, ToolResponseBlock } from '../../content/content.ts';
import { type Fields, isRecord } from '../../content/foreign-value.ts';
import { CLEARED_RESULT, PRUNED_RESULT } from '../../content/pruned-result.ts';
import { CompressionStrategyError } from '../../errors.ts';
import { mediaOfUrl } from '../blocks/data-url.ts';
import { unchangeable } from '../blocks/opaque-block.ts';
import { joinError, type ResponseFacts, responseBlock, resultText, splitError } from '../blocks/tool-result.ts';
import type { JsonChange, JsonPath } from '../json/json-change.ts';
import type { PlacedBlock, PlacedEdit } from '../messages/message-part.ts';

const stateOf = (part: Fields): Fields => (isRecord(part['state']) ? part['state'] : {});
const timeOf = (state: Fields): Fields => (isRecord(state['time']) ? state['time'] : {});
const isCleared = (state: Fields): boolean => typeof timeOf(state)['compacted'] === 'number';

/** The media of a `file` part; `undefined` for text and folders, whose content is in other text parts. */
export function readFile(part: unknown): MediaBlock | undefined {
  if (!isRecord(part) || typeof part['url'] !== 'string' || typeof part['mime'] !== 'string') return undefined;
  if (part['mime'] === 'text/plain' || part['mime'] === 'application/x-directory') return undefined;
  const { filename } = part;
  return { ...mediaOfUrl(part['url']), mimeType: part['mime'], ...(typeof filename === 'string' && { filename }) };
}

/** The call in a `tool` part and its result with media; no result for a pending or running call. */
export function readTool(
  part: Fields,
  path: JsonPath,
): { readonly call: PlacedBlock; readonly response: readonly PlacedBlock[] } {
  const state = stateOf(part);
  const callId = String(part['callID'] ?? part['id']);
  const toolName = typeof part['tool'] === 'string' ? part['tool'] : 'unknown';
  const parameters = state['input'] ?? {};
  const caller = callerFacts(part['metadata']);
  const call: PlacedBlock = { block: { type: 'tool_call', id: callId, name: toolName, parameters, ...caller }, path };
  const at = [...path, 'state'];
  const respond = (facts: ResponseFacts): PlacedBlock => ({ block: responseBlock(callId, toolName, facts), path: at });
  if (state['status'] === 'error') return { call, response: [respond(splitError(resultText(state['error'])))] };
  if (state['status'] !== 'completed') return { call, response: [] };
  if (isCleared(state)) return { call, response: [respond({ result: CLEARED_RESULT })] };
  const attachments = Array.isArray(state['attachments']) ? state['attachments'] : [];
  const media = attachments.flatMap((attachment: unknown, index): PlacedBlock[] => {
    const block = readFile(attachment);
    return block ? [{ block, path: [...at, 'attachments', index] }] : [];
  });
  return { call, response: [respond({ result: state['output'] ?? '' }), ...media] };
}

/**
 * The changes of the state for a changed result. A pruned result gets opencode's own `time.compacted`, so that its text
 * stays in the file; unless media of the result are kept.
 */
function responseChanges(state: Fields, at: JsonPath, after: ToolResponseBlock, hasMedia: boolean): JsonChange[] {
  if (state['status'] === 'error') {
    if (after.error === undefined) throw unchangeable(after);
    return [{ kind: 'set', path: [...at, 'error'], value: joinError(after.error, resultText(after.result)) }];
  }
  if (after.error !== undefined) throw unchangeable(after);
  const compacted = [...at, 'time', 'compacted'];
  if (after.result === PRUNED_RESULT && !hasMedia && !isCleared(state)) {
    const { end, start } = timeOf(state);
    const value = typeof end === 'number' ? end : typeof start === 'number' ? start : 1;
    if (!isRecord(state['time'])) return [{ kind: 'set', path: [...at, 'time'], value: { compacted: value } }];
    return [{ kind: 'set', path: compacted, value }];
  }
  return [
    { kind: 'set', path: [...at, 'output'], value: resultText(after.result) },
    ...(isCleared(state) ? [{ kind: 'remove' as const, path: compacted }] : []),
  ];
}

/**
 * The changes of a `tool` part for these edits of its blocks, the call first; it is removed with its last block.
 * @throws CompressionStrategyError `SESSION_NOT_WRITABLE` if a result is kept without its call, or if a failed call
 * becomes a success.
 */
export function toolChanges(part: Fields, path: JsonPath, edits: readonly PlacedEdit[]): JsonChange[] {
  const [asked, answered, ...attached] = edits;
  if (edits.every(({ edit }) => edit.kind === 'drop')) return [{ kind: 'remove', path }];
  if (asked?.edit.kind === 'drop')
    throw new CompressionStrategyError(
      `Expected the result ${JSON.stringify(part['callID'])} to be removed with its call, got the result alone: they are one part in opencode. The file is not written.`,
      'SESSION_NOT_WRITABLE',
    );
  const state = stateOf(part);
  const at = [...path, 'state'];
  const called = asked?.edit.kind === 'change' && asked.edit.block.type === 'tool_call' ? asked.edit.block : undefined;
  const input = called ? called.parameters : (state['input'] ?? {});
  const changes: JsonChange[] = [];
  if (called && called.name !== part['tool'])
    changes.push({ kind: 'set', path: [...path, 'tool'], value: called.name });
  if (answered?.edit.kind === 'drop')
    return [...changes, { kind: 'set', path: at, value: { status: 'pending', input, raw: '' } }];
  if (called && !isDeepStrictEqual(input, state['input']))
    changes.push({ kind: 'set', path: [...at, 'input'], value: input });
  const kept = attached.filter(({ edit }) => edit.kind !== 'drop');
  if (answered?.edit.kind === 'change' && answered.edit.block.type === 'tool_response')
    append(changes, responseChanges(state, at, answered.edit.block, kept.length > 0));
  for (const { edit, path: place, block } of attached) {
    if (edit.kind === 'change') throw unchangeable(block);
    if (edit.kind === 'drop') changes.push({ kind: 'remove', path: place });
  }
  return changes;
}
