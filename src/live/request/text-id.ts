import { hashOf } from '../conversation/hash-of.ts';

const TEXT = 'text ';

/** The id of a text that the agent wrote in a user turn: that of each further one with the same words is another one. */
export const textId = (text: string, count = 0): string => `${TEXT}${hashOf(text)}${count === 0 ? '' : ` ${count}`}`;

/** True for such an id. */
export const isTextId = (id: string): boolean => id.startsWith(TEXT);
