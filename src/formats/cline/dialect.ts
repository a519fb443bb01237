import { contentChanges } from '../anthropic/anthropic-content.ts';
import { newMessages } from '../anthropic/anthropic-messages.ts';
import { unchangeable } from '../blocks/opaque-block.ts';
import { type JsonChange, valueAt } from '../json/json-change.ts';
import type { BlockEdit } from '../lines/edits.ts';
import type { Message, MessageDialect } from '../messages/message-list.ts';
import type { PlacedEdit } from '../messages/message-part.ts';
import { attachedText } from './attached-file.ts';
import type { Piece, Reading } from './message-runs.ts';
import { textOfResult } from './text-result.ts';

/** The facts for new messages of a file. */
export interface NewMessages {
  /** Time of the first, in milliseconds since 1970; each next one is a second later. */
  readonly startedAt: number;
  /** True if messages of this file have ids, as in the Cline SDK. */
  readonly hasIds?: boolean;
  /** The id with which Roo Code hides messages that a summary replaces; absent if messages are removed from the file. */
  readonly condenseId?: string;
}

const STEP_MS = 1000;

/** The new text of a piece; `undefined` if it is unchanged. */
function newText({ kind }: Piece, edit: BlockEdit, isFirst: boolean): string | undefined {
  if (edit.kind === 'keep') return undefined;
  if (edit.kind === 'drop') return '';
  const { block } = edit;
  if (kind === 'frame') return undefined;
  if (kind === 'result' && block.type === 'tool_response') return isFirst ? textOfResult(block) : '';
  if (kind === 'text' && block.type === 'text') return block.text;
  throw unchangeable(block);
}

/** The text after the line that names the tool, for a result that had none. */
function filledFrame(before: string, { kind }: Piece, edit: BlockEdit | undefined): string | undefined {
  if (kind !== 'frame' || edit?.kind !== 'change' || edit.block.type !== 'tool_response') return undefined;
  return `${before.trimEnd()}\n${textOfResult(edit.block)}`;
}

interface TextEdits {
  readonly pieces: readonly Piece[];
  readonly byBlock: ReadonlyMap<number, PlacedEdit>;
}

/** The text at `index` of a message with its pieces edited; `undefined` if it is unchanged. */
function editedText(text: string, index: number, { pieces, byBlock }: TextEdits): string | undefined {
  const own = pieces.filter((piece) => piece.index === index);
  let isChanged = false;
  const texts = own.map((piece) => {
    const { edit } = byBlock.get(piece.block) as PlacedEdit;
    const before = text.slice(piece.start, piece.end);
    const results = pieces.filter(({ block, kind }) => block === piece.block && kind === 'result');
    const after =
      filledFrame(before, piece, results.length === 0 ? edit : undefined) ?? newText(piece, edit, results[0] === piece);
    isChanged ||= after !== undefined;
    return after ?? before;
  });
  return isChanged ? texts.join('') : undefined;
}

function textChanges(message: Message, edits: TextEdits): JsonChange[] {
  const { content } = message;
  const indices = [...new Set(edits.pieces.map(({ index }) => index))];
  return indices.flatMap((index): JsonChange[] => {
    const path = index === -1 ? ['content'] : ['content', index];
    const before = index === -1 ? content : (content as readonly { text: string }[])[index]?.text;
    const after = editedText(String(before), index, edits);
    if (after === undefined) return [];
    if (after === '') return [{ kind: 'remove', path }];
    return [{ kind: 'set', path: index === -1 ? path : [...path, 'text'], value: after }];
  });
}

/** True for a text that is read from an attached file and that changes. */
const isChangedFile = (message: Message, { path, edit }: PlacedEdit): boolean =>
  edit.kind === 'change' && path[0] === 'content' && attachedText(valueAt(message, path)) !== undefined;

/** A changed file becomes a text: the model gets one either way. */
function fileChanges(message: Message, edits: readonly PlacedEdit[]): JsonChange[] {
  return edits.flatMap((one): JsonChange[] => {
    if (one.edit.kind !== 'change' || one.edit.block.type !== 'text' || !isChangedFile(message, one)) return [];
    return [{ kind: 'set', path: one.path, value: { type: 'text', text: one.edit.block.text } }];
  });
}

/**
 * Messages of Cline and its forks. Blocks in texts have the path `['text', number]`. A message is removed with its last
 * block, or hidden by the summary if the agent can show it again.
 */
export function clineDialect(
  readings: ReadonlyMap<Message, Reading>,
  { startedAt, hasIds = false, condenseId }: NewMessages,
): MessageDialect {
  let time = startedAt - STEP_MS;
  return {
    reader: () => (message) => readings.get(message)?.parts ?? [],
    changes(message, edits) {
      const kept = edits.filter(({ edit }) => edit.kind !== 'drop');
      if (kept.every(({ block }) => block.type === 'thinking'))
        return condenseId === undefined ? 'remove' : [{ kind: 'set', path: ['condenseParent'], value: condenseId }];
      const byBlock = new Map(edits.flatMap((one) => (one.path[0] === 'text' ? [[Number(one.path[1]), one]] : [])));
      const native = edits
        .filter((one) => one.path[0] === 'content' && !isChangedFile(message, one))
        .map((one) => ({ ...one, path: one.path.slice(1) }));
      const { changes } = contentChanges(message['content'], ['content'], native);
      return [
        ...changes,
        ...fileChanges(message, edits),
        ...textChanges(message, { pieces: readings.get(message)?.pieces ?? [], byBlock }),
      ];
    },
    create(entries) {
      const isSummary = condenseId !== undefined && entries.some(({ metadata }) => metadata?.isSummary === true);
      return newMessages(entries).map(({ role, content }, index) => {
        time += STEP_MS;
        return {
          ...(hasIds && { id: `msg_${time}` }),
          role,
          content: typeof content === 'string' ? [{ type: 'text', text: content }] : content,
          ts: time,
          ...(isSummary && index === 0 && { isSummary: true, condenseId }),
        };
      });
    },
  };
}
