import { type JsonChange, type JsonPath, withValueAt } from '../../formats/json/json-change.ts';
import { spliceJson } from '../../formats/json/json-splice.ts';
import type { Message } from '../../formats/messages/message-list.ts';
import type { Body } from '../contract.ts';

/** A text of an element that is replaced, or blocks of it that are left out. */
export interface Replacement {
  readonly element: number;
  /** Of the text, or of a list whose texts it replaces: see `textChanges`. A text becomes a list of one while it has the cache mark, which moves with every turn. */
  readonly path: JsonPath;
  readonly text: string;
  /** The blocks of the element that are left out; there is then no `text`. */
  readonly omitted?: readonly JsonPath[];
}

/** The list of a request, its other fields, and the way to write it with other texts. */
export interface RequestList {
  /** The number of elements. */
  readonly length: number;
  /** True if it is bytes, which contain every text of it. */
  readonly isBytes: boolean;
  /** What it keeps in memory for itself; 0 for objects, which are its caller's. */
  readonly sizeBytes: number;
  /** The number of values in its elements, those in values included; 0 for objects. */
  readonly values: number;
  /** The number of elements at the start that are the same bytes, or equal objects, as in another request. */
  same(other: RequestList): number;
  /** The element at this index, parsed. */
  element(index: number): Message;
  /** False only if the element at this index does not contain a text. */
  elementMentions(index: number, text: string): boolean;
  /** The names of the fields beside the list. */
  readonly names: readonly string[];
  /** A field beside the list; only `model` and the names of fields are needed. */
  field(name: string): unknown;
  /** A field beside the list, however long it is. */
  wholeField(name: string): unknown;
  /** True if a field beside the list is the same bytes, or equal values, as in another request; also where neither has it. */
  isSameField(name: string, other: RequestList): boolean;
  /** Everything beside the list. */
  besideText(): string;
  /** True if the part of the request beside the list, and its elements from this index on, contain a text. */
  mentions(text: string, from: number): boolean;
  write(replacements: readonly Replacement[]): object | Uint8Array;
}

/** What of a body is sent in another form: texts, and after that what the prompt cache needs. */
export interface BodyChanges {
  readonly replacements: readonly Replacement[];
  /** Each sets a value. */
  readonly steps: readonly JsonChange[];
}

/** The body with these changes; the very same one if there are none. */
export function written<Given extends Body>(
  body: Given,
  list: RequestList,
  { replacements, steps }: BodyChanges,
): Given {
  const replaced = replacements.length === 0 ? body : list.write(replacements);
  if (replaced instanceof Uint8Array) return spliceJson(replaced, steps) as Given;
  return steps.reduce<unknown>(
    (value, step) => (step.kind === 'set' ? withValueAt(value, step.path, step.value) : value),
    replaced,
  ) as Given;
}

/**
 * A list of more values is no conversation: the longest that were seen have a twentieth. Each takes a multiple of its bytes in memory.
 */
export const MAX_VALUES = 250_000;

/** A list that cannot be read: the request is not ours to change. */
export class NotUnderstood extends Error {}
