import { isDeepStrictEqual } from 'node:util';
import { errorOf } from '../../content/calls/error-of.ts';
import type { ContentBlock } from '../../content/content.ts';
import { resultText } from '../blocks/tool-result.ts';
import type { LossKind } from './loss-kinds.ts';

const fieldsBeyond = (block: ContentBlock, known: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(block).filter(([key, value]) => value !== undefined && !known.includes(key)));

/** By type of block: the fields that are compared one by one; other fields belong to the source format. */
const KNOWN_FIELDS: Readonly<Record<ContentBlock['type'], readonly string[]>> = {
  text: ['type', 'text'],
  code: ['type', 'code'],
  media: ['type', 'mimeType', 'data', 'encoding', 'filename', 'caption'],
  thinking: ['type', 'thought', 'signature', 'encryptedContent'],
  tool_call: ['type', 'id', 'name', 'parameters'],
  tool_response: ['type', 'callId', 'toolName', 'result', 'error'],
};

/** The losses of a block that has a counterpart. */
export function changesOf(before: ContentBlock, after: ContentBlock): LossKind[] {
  const kinds: LossKind[] = [];
  const when = (isLost: boolean, kind: LossKind): void => {
    if (isLost) kinds.push(kind);
  };
  if (before.type === 'text' && after.type === 'text' && before.text !== after.text)
    kinds.push(after.text.includes(before.text) ? 'joined-texts' : 'words');
  if (before.type === 'code' && after.type === 'code') when(before.code !== after.code, 'words');
  if (before.type === 'media' && after.type === 'media') {
    when(before.data !== after.data || before.mimeType !== after.mimeType, 'media');
    when(before.filename !== after.filename || before.caption !== after.caption, 'media-names');
  }
  if (before.type === 'thinking' && after.type === 'thinking') {
    when(before.thought !== after.thought, 'thinking');
    when(before.signature !== undefined && before.signature !== after.signature, 'thinking-signatures');
    when(
      before.encryptedContent !== undefined && before.encryptedContent !== after.encryptedContent,
      'sealed-thinking',
    );
  }
  if (before.type === 'tool_call' && after.type === 'tool_call') {
    when(before.id !== after.id, 'call-ids');
    when(before.name !== after.name, 'tool-names');
    when(!isDeepStrictEqual(before.parameters, after.parameters), 'parameters');
  }
  if (before.type === 'tool_response' && after.type === 'tool_response') {
    const error = errorOf(before);
    const errorAfter = errorOf(after);
    when(error !== undefined && errorAfter === undefined, 'errors');
    when(error !== undefined && errorAfter !== undefined && error !== errorAfter, 'error-texts');
    const text = resultText(before.result);
    const textAfter = resultText(after.result);
    // A format without a field for errors writes them before the result, and may write media into it.
    const isInside = textAfter.includes(text) || textAfter.includes(JSON.stringify(text).slice(1, -1));
    if (!isInside) kinds.push('results');
    else when(!isDeepStrictEqual(before.result, after.result), 'result-structure');
  }
  const known = KNOWN_FIELDS[before.type];
  const own = fieldsBeyond(before, known);
  const theirs = fieldsBeyond(after, known);
  when(
    Object.keys(own).some((key) => !isDeepStrictEqual(own[key], theirs[key])),
    'block-fields',
  );
  return kinds;
}

/** The loss of a block without a counterpart; `containsText`: another block contains this text. */
export function lossOfBlock(block: ContentBlock, containsText: (words: string) => boolean): LossKind {
  switch (block.type) {
    case 'text':
      if (block.text.trim() === '') return 'blank-texts';
      return containsText(block.text) ? 'joined-texts' : 'words';
    case 'code':
      return containsText(block.code) ? 'code-blocks' : 'words';
    case 'media':
      return 'media';
    case 'thinking':
      return block.encryptedContent !== undefined ? 'sealed-thinking' : 'thinking';
    case 'tool_call':
      return 'calls';
    case 'tool_response':
      return containsText(resultText(block.result)) ? 'orphan-results' : 'results';
  }
}
