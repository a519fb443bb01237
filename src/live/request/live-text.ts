import { agentTextName, mayBeAgentText } from '../../content/agent-text/agent-text.ts';
import type { IContent, TextBlock } from '../../content/content.ts';
import type { JsonPath } from '../../formats/json/json-change.ts';
import type { Message } from '../../formats/messages/message-list.ts';
import { hashOf } from '../conversation/hash-of.ts';
import { ONLY_TEXT } from '../conversation/summary-text.ts';
import { textAt } from './dialects.ts';

const TEXT = 'text ';

/** The id of a text that the agent wrote in a user turn: that of each further one with the same words is another one. */
export const textId = (text: string, count = 0): string => `${TEXT}${hashOf(text)}${count === 0 ? '' : ` ${count}`}`;

/** True for such an id. */
export const isTextId = (id: string): boolean => id.startsWith(TEXT);

/** How often each text that the agent wrote in a user turn is in a list, by the hash of its words. */
export type TextCounts = ReadonlyMap<string, number>;

/** A text in a user turn that can be replaced. */
interface LiveText {
  readonly path: JsonPath;
  readonly text: string;
  /** That of each further one with the same words is another one. */
  readonly id: string;
  readonly block: TextBlock;
  /** The same for the same words. */
  readonly words: string;
  readonly name: string;
}

interface Placed {
  /** The entry of the block, and the block in it. */
  readonly content: IContent;
  readonly blockAt: number;
  readonly path: JsonPath;
  readonly countOf: (words: string) => number;
}

/** The text at a block of a user turn if the agent may have written it, and it can be replaced. */
export function liveText(value: Message, { content, blockAt, path, countOf }: Placed): LiveText | undefined {
  const found = mayBeAgentText(content, blockAt);
  const place = found && placeOf(value, path);
  if (!place) return undefined;
  const block = content.blocks[blockAt] as TextBlock;
  const words = textId(block.text);
  return { ...place, id: textId(block.text, countOf(words)), block, words, name: agentTextName(found) };
}

/** A message that is only one text is a list while it has the cache mark: see `elementHash`. */
function placeOf(value: Message, path: JsonPath): Pick<LiveText, 'path' | 'text'> | undefined {
  const { content } = value;
  const isOnly = path[0] === ONLY_TEXT[0] && !(Array.isArray(content) && content.length > 1);
  const own = isOnly ? ONLY_TEXT : [...path, 'text'];
  const text = textAt(value, own);
  return text === undefined ? undefined : { path: own, text };
}
