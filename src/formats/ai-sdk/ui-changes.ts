import { append } from '../../content/append.ts';
import type { ContentBlock, ToolCallBlock } from '../../content/content.ts';
import { type Fields, isRecord } from '../../content/foreign-value.ts';
import { unchangeable } from '../blocks/opaque-block.ts';
import { responseText } from '../blocks/tool-result.ts';
import type { JsonChange, JsonPath } from '../json/json-change.ts';
import type { Message } from '../messages/message-list.ts';
import { editChanges, type PlacedEdit } from '../messages/message-part.ts';
import { isToolPart, partsOf, toolNameOf } from './ui-read.ts';

const indexOf = ({ path }: PlacedEdit): number => Number(path[1]);

function responseChanges(part: Fields, path: JsonPath, block: ContentBlock): JsonChange[] {
  if (block.type !== 'tool_response') throw unchangeable(block);
  const set = (key: string, value: unknown): JsonChange => ({ kind: 'set', path: [...path, key], value });
  const removed = (...keys: string[]): JsonChange[] =>
    keys.filter((key) => key in part).map((key) => ({ kind: 'remove', path: [...path, key] }));
  const state = block.error === undefined ? 'output-available' : 'output-error';
  const moved = part['state'] === state ? [] : [set('state', state)];
  if (block.error === undefined) return [...moved, set('output', block.result ?? ''), ...removed('errorText')];
  // Only a denied call has an approval that is false; a failed call must not have one.
  const denied = part['state'] === 'output-denied' ? removed('approval') : [];
  return [...moved, set('errorText', responseText(block)), ...removed('output'), ...denied];
}

function callChanges(part: Fields, path: JsonPath, { name, parameters }: ToolCallBlock): JsonChange[] {
  const named: JsonChange =
    part['type'] === 'dynamic-tool'
      ? { kind: 'set', path: [...path, 'toolName'], value: name }
      : { kind: 'set', path: [...path, 'type'], value: `tool-${name}` };
  return [...(toolNameOf(part) === name ? [] : [named]), { kind: 'set', path: [...path, 'input'], value: parameters }];
}

/** A call and its result share a part. Removing the call removes the part; a result can be removed alone. */
function toolChanges(part: Fields, path: JsonPath, [call, response]: readonly PlacedEdit[]): JsonChange[] {
  if (call?.edit.kind === 'drop') {
    if (response && response.edit.kind !== 'drop') throw unchangeable(response.block);
    return [{ kind: 'remove', path }];
  }
  const changes: JsonChange[] = [];
  if (call?.edit.kind === 'change' && call.edit.block.type === 'tool_call')
    append(changes, callChanges(part, path, call.edit.block));
  if (response?.edit.kind === 'change') append(changes, responseChanges(part, path, response.edit.block));
  if (response?.edit.kind === 'drop') {
    changes.push({ kind: 'set', path: [...path, 'state'], value: 'input-available' });
    for (const key of ['output', 'errorText', 'preliminary', 'approval'])
      if (key in part) changes.push({ kind: 'remove', path: [...path, key] });
  }
  return changes;
}

function partChanges(part: unknown, index: number, edits: readonly PlacedEdit[]): JsonChange[] {
  const path = ['parts', index];
  if (isToolPart(part)) return toolChanges(part, path, edits);
  return edits.flatMap((one) => editChanges(one, { text: [...path, 'text'] }));
}

/** The same edits, and the removal of thinking that would be alone in its step: no provider accepts such an answer. */
function withoutIdleThinking(message: Message, edits: readonly PlacedEdit[]): PlacedEdit[] {
  const starts = partsOf(message).flatMap((part, index) =>
    isRecord(part) && part['type'] === 'step-start' ? index : [],
  );
  const stepOf = (edit: PlacedEdit): number => starts.filter((start) => start < indexOf(edit)).length;
  const isLost = new Set(edits.filter(({ edit }) => edit.kind === 'drop').map(stepOf));
  const speaks = new Set(
    edits.filter(({ block, edit }) => edit.kind !== 'drop' && block.type !== 'thinking').map(stepOf),
  );
  return edits.map((one) =>
    isLost.has(stepOf(one)) && !speaks.has(stepOf(one)) ? { ...one, edit: { kind: 'drop' } } : one,
  );
}

/**
 * The changes of a message for these edits of its blocks. It is removed with its last block.
 * @throws CompressionStrategyError `SESSION_NOT_WRITABLE` if a changed block can only be kept or removed.
 */
export function uiMessageChanges(message: Message, edits: readonly PlacedEdit[]): 'remove' | JsonChange[] {
  const own = withoutIdleThinking(message, edits);
  if (own.every(({ edit }) => edit.kind === 'drop')) return 'remove';
  const parts = partsOf(message);
  const indices = [...new Set(own.map(indexOf))];
  return indices.flatMap((index) =>
    partChanges(
      parts[index],
      index,
      own.filter((one) => indexOf(one) === index),
    ),
  );
}
