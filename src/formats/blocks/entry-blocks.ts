import type { IContent } from '../../content/content.ts';
import type { JsonChange } from '../json/json-change.ts';
import type { BlockEdit } from '../lines/edits.ts';
import type { MessagePart } from '../messages/message-part.ts';

/** The message part of a message that is an entry. */
export function entryPart({ speaker, blocks, metadata }: IContent): MessagePart {
  return { speaker, blocks, places: blocks.map((_, index) => ['blocks', index]), metadata };
}

/** The changes of such a message for these edits of its blocks. */
export function entryChanges(edits: readonly { readonly edit: BlockEdit }[]): JsonChange[] {
  return edits.flatMap(({ edit }, index): JsonChange[] => {
    const path = ['blocks', index];
    if (edit.kind === 'keep') return [];
    return [edit.kind === 'drop' ? { kind: 'remove', path } : { kind: 'set', path, value: edit.block }];
  });
}
