import { isRecord } from '../content/foreign-value.ts';
import { skipSpace, startOf, stringEnd, valueEnd } from '../formats/json/json-scan.ts';
import type { JsonPath } from '../formats/json/json-splice.ts';
import { valueAt } from '../formats/json/value-at.ts';
import type { Message } from '../formats/messages/message-list.ts';

/** A text of an element that is replaced. */
export interface Replacement {
  readonly element: number;
  readonly path: JsonPath;
  readonly text: string;
}

/** The list of a request, its other fields, and the way to write it with other texts. */
export interface RequestList {
  /** The number of elements. */
  readonly length: number;
  /** The number of elements at the start that are the same bytes, or the same objects, as in the request before. */
  readonly same: number;
  /** The element at this index, parsed. */
  element(index: number): Message;
  /** A field beside the list; only `model` and the names of fields are needed. */
  field(name: string): unknown;
  /** The characters of everything beside the list. */
  besideLength(): number;
  /** True if the part of the request beside the list, and its elements from this index on, contain a text. */
  mentions(text: string, from: number): boolean;
  write(replacements: readonly Replacement[]): object | Uint8Array;
}

/** A list that cannot be read: the request is not ours to change. */
export class NotUnderstood extends Error {}

const LONGEST_BODY = 34 * 1024 * 1024;
/** Longer fields beside the list are not read. */
const SHORT_FIELD = 16 * 1024;

/** The list of a parsed body. `before`: that of the request before. */
export function objectList(body: object, key: string, before: RequestList | undefined): RequestList {
  return new ObjectList(body as Message, key, before);
}

class ObjectList implements RequestList {
  readonly same: number;
  readonly #body: Message;
  readonly #key: string;
  readonly #elements: readonly unknown[];

  constructor(body: Message, key: string, before: RequestList | undefined) {
    const list = body[key];
    if (!Array.isArray(list)) throw new NotUnderstood();
    this.#body = body;
    this.#key = key;
    this.#elements = [...list];
    const old = before instanceof ObjectList ? before.#elements : [];
    let same = 0;
    while (same < old.length && same < list.length && old[same] === list[same]) same++;
    this.same = same;
  }

  get length(): number {
    return this.#elements.length;
  }

  element(index: number): Message {
    const element = this.#elements[index];
    if (!isRecord(element)) throw new NotUnderstood();
    return element;
  }

  field(name: string): unknown {
    return this.#body[name];
  }

  besideLength(): number {
    const { [this.#key]: _, ...beside } = this.#body;
    return JSON.stringify(beside).length;
  }

  mentions(text: string, from: number): boolean {
    const { [this.#key]: _, ...beside } = this.#body;
    return JSON.stringify([beside, this.#elements.slice(from)]).includes(text);
  }

  write(replacements: readonly Replacement[]): object {
    const list = [...this.#elements];
    for (const { element, path, text } of replacements) list[element] = withText(list[element], path, text);
    return { ...this.#body, [this.#key]: list };
  }
}

/** A copy of a value with another text at `path`; everything else is the same objects. */
function withText(value: unknown, [key, ...rest]: JsonPath, text: string): unknown {
  if (key === undefined) return text;
  const inner = withText(valueAt(value, [key]), rest, text);
  if (Array.isArray(value)) return value.with(Number(key), inner);
  return { ...(value as Message), [key]: inner };
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** The list of a body in bytes. `before`: that of the request before; its elements are found again without a scan. */
export function bytesList(bytes: Uint8Array, key: string, before: RequestList | undefined): RequestList {
  return new BytesList(bytes, key, before instanceof BytesList ? before : undefined);
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const [OPEN_OBJECT, OPEN_LIST, CLOSE_OBJECT, CLOSE_LIST, QUOTE, COLON, COMMA] = [123, 91, 125, 93, 34, 58, 44];

class BytesList implements RequestList {
  readonly same: number;
  readonly #bytes: Buffer;
  readonly #elements: Span[] = [];
  readonly #fields = new Map<string, Span>();
  #listStart = 0;
  #listEnd = 0;

  constructor(given: Uint8Array, key: string, before: BytesList | undefined) {
    if (given.length > LONGEST_BODY) throw new NotUnderstood();
    this.#bytes = Buffer.from(given.buffer, given.byteOffset, given.length);
    const shared = before === undefined ? 0 : sharedBytes(this.#bytes, before.#bytes);
    this.same = this.#scan(key, before, shared);
  }

  get length(): number {
    return this.#elements.length;
  }

  element(index: number): Message {
    const { start, end } = this.#elements[index]!;
    const value: unknown = JSON.parse(decoder.decode(this.#bytes.subarray(start, end)));
    if (!isRecord(value)) throw new NotUnderstood();
    return value;
  }

  field(name: string): unknown {
    const span = this.#fields.get(name);
    if (span === undefined) return undefined;
    if (span.end - span.start > SHORT_FIELD) return true;
    return JSON.parse(decoder.decode(this.#bytes.subarray(span.start, span.end)));
  }

  besideLength(): number {
    return this.#bytes.length - (this.#listEnd - this.#listStart);
  }

  mentions(text: string, from: number): boolean {
    const start = this.#elements[from]?.start ?? this.#listEnd;
    return this.#bytes.subarray(0, this.#listStart).includes(text) || this.#bytes.subarray(start).includes(text);
  }

  write(replacements: readonly Replacement[]): Uint8Array {
    const spans = replacements.map(({ element, path, text }) => {
      const start = startOf(this.#bytes, this.#elements[element]!.start, path);
      if (start === undefined || this.#bytes[start] !== QUOTE) throw new NotUnderstood();
      return { start, end: stringEnd(this.#bytes, start), text };
    });
    spans.sort((one, other) => one.start - other.start);
    const pieces: Uint8Array[] = [];
    let from = 0;
    for (const { start, end, text } of spans) {
      pieces.push(this.#bytes.subarray(from, start), Buffer.from(JSON.stringify(text)));
      from = end;
    }
    return Buffer.concat([...pieces, this.#bytes.subarray(from)]);
  }

  /** Finds the fields and the elements; returns how many elements are in the `shared` first bytes, as before. */
  #scan(key: string, before: BytesList | undefined, shared: number): number {
    const bytes = this.#bytes;
    let at = skipSpace(bytes, 0);
    let same = 0;
    if (bytes[at] !== OPEN_OBJECT) throw new NotUnderstood();
    at = skipSpace(bytes, at + 1);
    while (bytes[at] === QUOTE) {
      const keyEnd = stringEnd(bytes, at);
      const name = JSON.parse(decoder.decode(bytes.subarray(at, keyEnd))) as string;
      at = skipSpace(bytes, keyEnd);
      if (bytes[at] !== COLON || this.#fields.has(name)) throw new NotUnderstood();
      const start = skipSpace(bytes, at + 1);
      if (name === key) {
        if (bytes[start] !== OPEN_LIST) throw new NotUnderstood();
        same = this.#scanList(start, before && before.#listStart === start ? before : undefined, shared);
        at = this.#listEnd;
      } else at = valueEnd(bytes, start);
      this.#fields.set(name, { start, end: at });
      at = skipSpace(bytes, at);
      if (bytes[at] !== COMMA) break;
      at = skipSpace(bytes, at + 1);
    }
    if (bytes[at] !== CLOSE_OBJECT || skipSpace(bytes, at + 1) !== bytes.length || this.#listEnd === 0)
      throw new NotUnderstood();
    return same;
  }

  #scanList(start: number, before: BytesList | undefined, shared: number): number {
    const bytes = this.#bytes;
    this.#listStart = start;
    let at = skipSpace(bytes, start + 1);
    for (const span of before ? before.#elements : []) {
      // A comma or the end follows a whole element.
      if (span.end >= shared) break;
      this.#elements.push(span);
      at = span.end;
    }
    const same = this.#elements.length;
    if (same > 0) {
      at = skipSpace(bytes, at);
      if (bytes[at] === COMMA) at = skipSpace(bytes, at + 1);
    }
    while (bytes[at] === OPEN_OBJECT) {
      const end = valueEnd(bytes, at);
      this.#elements.push({ start: at, end });
      at = skipSpace(bytes, end);
      if (bytes[at] !== COMMA) break;
      at = skipSpace(bytes, at + 1);
    }
    if (bytes[at] !== CLOSE_LIST) throw new NotUnderstood();
    this.#listEnd = at + 1;
    return same;
  }
}

/** The length of the common start of two bodies: in large steps, then by halves. */
function sharedBytes(one: Buffer, other: Buffer): number {
  let [low, high] = [0, Math.min(one.length, other.length)];
  while (low < high) {
    const middle = low + Math.ceil((high - low) / 2);
    if (one.compare(other, low, middle, low, middle) === 0) low = middle;
    else high = middle - 1;
  }
  return low;
}
