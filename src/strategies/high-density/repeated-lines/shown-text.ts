import type { ContentBlock, IContent, TextBlock, ToolCallBlock, ToolResponseBlock } from '../../../content/content.ts';
import { editText } from '../../../content/files/edit-text.ts';
import { lineHash } from '../../../content/lines/line-hash.ts';
import { isPruned } from '../../../content/pruned-result.ts';
import { type BlockPlace, type CallPlace, compareBlocks } from '../../reasons/call-place.ts';
import { type TextLines, textLines } from './text-lines.ts';

/** A text that the model sees: the result of a call, what a call wrote, or the words of a user. */
export interface ShownText extends BlockPlace {
  readonly owner: ContentBlock;
  readonly lines: TextLines;
  readonly isWritten: boolean;
  /** The place of the call; for the words of a user, their own place. */
  readonly call: CallPlace;
  /** The name of its call in markers. */
  readonly label: string;
}

/** How the words of a user are named in markers. */
export const USER_MESSAGE = 'a message of the user';
const MESSAGE_ID = 'message ';

/** The id under which the words of a user are known, as a call is by its own: the same for the same words; `undefined` for another block. */
export const messageId = ({ speaker }: IContent, block: ContentBlock): string | undefined =>
  speaker === 'human' && block.type === 'text' ? textMessageId(block.text) : undefined;

/** The id of these words of a user. */
export const textMessageId = (text: string): string => `${MESSAGE_ID}${lineHash(text)}`;

/** True for the id of words of a user. */
export const isMessageId = (id: string): boolean => id.startsWith(MESSAGE_ID);

/** The lines of the words of a user. */
const messageLines = (owner: TextBlock): readonly TextLines[] => textLines(owner, () => [owner.text]);

/** The lines that a block shows; none for what shows no text. */
export const blockLines = (owner: ContentBlock): readonly TextLines[] =>
  owner.type === 'tool_response' ? shownLines(owner) : owner.type === 'text' ? messageLines(owner) : [];

/** The lines that a call writes. */
export function writtenLines(owner: ToolCallBlock): readonly TextLines[] {
  let texts: readonly string[] | undefined;
  return textLines(owner, () => (texts ??= editText(owner)?.after ?? []));
}

/** The lines of a result that is a text and was not removed. */
export const shownLines = (owner: ToolResponseBlock): readonly TextLines[] =>
  textLines(owner, () => (typeof owner.result === 'string' && !isPruned(owner.result) ? [owner.result] : []));

export const comparePlaces = (one: ShownText, other: ShownText): number =>
  compareBlocks(one, other) || one.lines.at - other.lines.at;
