import { isRecord } from '../../content/foreign-value.ts';
import { textChanges } from '../../formats/blocks/text-list.ts';
import { skipSpace, startOf, stringEnd, valueCount, valueEnd } from '../../formats/json/json-scan.ts';
import { spliceJson } from '../../formats/json/json-splice.ts';
import type { Message } from '../../formats/messages/message-list.ts';
import type { Slices } from '../turn/slices.ts';
import { MAX_VALUES, NotUnderstood, type Replacement, type RequestList } from './request-list.ts';

const LONGEST_BODY = 34 * 1024 * 1024;
/** Longer fields beside the list are not read. */
const SHORT_FIELD = 16 * 1024;
/** A request has some twenty. */
const MAX_FIELDS = 1_000;

interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * The list of a body in bytes, found in slices. `before`: that of a request before; elements that it shares are found without
 * a scan. @throws NotUnderstood for other bytes.
 */
export async function bytesList(
  bytes: Uint8Array,
  { key, before, slices }: { readonly key: string; readonly before: RequestList | undefined; readonly slices: Slices },
): Promise<RequestList> {
  const last = before instanceof BytesList ? before : undefined;
  const list = new BytesList(bytes, last);
  for (const _ of list.scan(key, last)) if (slices.isOver()) await slices.next();
  return list;
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const OPEN_OBJECT = 123;
const OPEN_LIST = 91;
const CLOSE_OBJECT = 125;
const CLOSE_LIST = 93;
const QUOTE = 34;
const COLON = 58;
const COMMA = 44;

/** The bytes of a text that is replaced, from the start of its element, and what is written instead. */
interface Splice {
  readonly start: number;
  readonly end: number;
  readonly json: Uint8Array;
}

/** The bytes of an element. Lists of later requests that have the same bytes have the same object. */
interface ElementSpan extends Span {
  /** The number of values in it and in the elements before it. */
  readonly values: number;
  /** What was found for texts that are replaced in it. */
  splices?: WeakMap<Replacement, Splice>;
}

class BytesList implements RequestList {
  readonly isBytes = true;
  readonly #bytes: Buffer;
  #elements: ElementSpan[] = [];
  /** Stands for this list in later ones, which must not keep it. */
  readonly #identity = {};
  readonly #comparedWith: object | undefined;
  readonly #sharedBytes: number;
  readonly #fields = new Map<string, Span>();
  #key = '';
  #listStart = 0;
  #listEnd = 0;

  constructor(given: Uint8Array, before: BytesList | undefined) {
    if (given.length > LONGEST_BODY) throw new NotUnderstood();
    this.#bytes = Buffer.from(given.buffer, given.byteOffset, given.length);
    this.#comparedWith = before ? before.#identity : undefined;
    this.#sharedBytes = before ? sharedBytes(this.#bytes, before.#bytes) : 0;
  }

  same(other: RequestList): number {
    if (!(other instanceof BytesList) || other.#listStart !== this.#listStart) return 0;
    const list = this.#elements;
    const old = other.#elements;
    // In lists with the same start, each element is at the same place.
    const isKnown = other.#identity === this.#comparedWith;
    const shared = isKnown ? this.#sharedBytes : sharedBytes(this.#bytes, other.#bytes);
    return Math.min(list.length, countBefore(old, shared));
  }

  get sizeBytes(): number {
    return this.#bytes.length;
  }

  get values(): number {
    return this.#elements.at(-1)?.values ?? 0;
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

  elementMentions(index: number, text: string): boolean {
    const { start, end } = this.#elements[index]!;
    return this.#bytes.subarray(start, end).includes(text);
  }

  get names(): readonly string[] {
    return [...this.#fields.keys()].filter((name) => name !== this.#key);
  }

  field(name: string): unknown {
    const span = this.#fields.get(name);
    if (span === undefined) return undefined;
    return span.end - span.start > SHORT_FIELD ? true : this.wholeField(name);
  }

  wholeField(name: string): unknown {
    const span = this.#fields.get(name);
    return span && JSON.parse(decoder.decode(this.#bytes.subarray(span.start, span.end)));
  }

  isSameField(name: string, other: RequestList): boolean {
    if (!(other instanceof BytesList)) return false;
    const [own, old] = [this.#fields.get(name), other.#fields.get(name)];
    if (own === undefined || old === undefined) return own === old;
    return this.#bytes.compare(other.#bytes, old.start, old.end, own.start, own.end) === 0;
  }

  besideText(): string {
    const before = this.#bytes.subarray(0, this.#listStart);
    const after = this.#bytes.subarray(this.#listEnd);
    return decoder.decode(before) + decoder.decode(after);
  }

  mentions(text: string, from: number): boolean {
    const start = this.#elements[from]?.start ?? this.#listEnd;
    return this.#bytes.subarray(0, this.#listStart).includes(text) || this.#bytes.subarray(start).includes(text);
  }

  write(replacements: readonly Replacement[]): Uint8Array {
    const spans = replacements.map((replacement) => {
      const element = this.#elements[replacement.element]!;
      const { start, end, json } = this.#spliceOf(replacement, element);
      return { start: element.start + start, end: element.start + end, json };
    });
    spans.sort((one, other) => one.start - other.start);
    const pieces: Uint8Array[] = [];
    let from = 0;
    for (const { start, end, json } of spans) {
      pieces.push(this.#bytes.subarray(from, start), json);
      from = end;
    }
    return Buffer.concat([...pieces, this.#bytes.subarray(from)]);
  }

  #spliceOf(replacement: Replacement, element: ElementSpan): Splice {
    element.splices ??= new WeakMap();
    let splice = element.splices.get(replacement);
    if (splice === undefined && replacement.omitted) {
      const bytes = this.#bytes.subarray(element.start, element.end);
      const json = spliceJson(
        bytes,
        replacement.omitted.map((path) => ({ kind: 'remove', path })),
      );
      splice = { start: 0, end: bytes.length, json };
      element.splices.set(replacement, splice);
    } else if (splice === undefined) {
      const start = startOf(this.#bytes, element.start, replacement.path);
      if (start === undefined) throw new NotUnderstood();
      const end = valueEnd(this.#bytes, start);
      const json = withText(this.#bytes.subarray(start, end), replacement.text);
      splice = { start: start - element.start, end: end - element.start, json };
      element.splices.set(replacement, splice);
    }
    return splice;
  }

  /** Finds the fields and the elements, a step for each that is new; those in the shared first bytes are where they were before. */
  *scan(key: string, before: BytesList | undefined): Generator<void> {
    const bytes = this.#bytes;
    this.#key = key;
    let at = skipSpace(bytes, 0);
    if (bytes[at] !== OPEN_OBJECT) throw new NotUnderstood();
    at = skipSpace(bytes, at + 1);
    while (bytes[at] === QUOTE) {
      const keyEnd = stringEnd(bytes, at);
      const name = JSON.parse(decoder.decode(bytes.subarray(at, keyEnd))) as string;
      at = skipSpace(bytes, keyEnd);
      if (bytes[at] !== COLON || this.#fields.has(name) || this.#fields.size === MAX_FIELDS) throw new NotUnderstood();
      const start = skipSpace(bytes, at + 1);
      if (name === key) {
        if (bytes[start] !== OPEN_LIST) throw new NotUnderstood();
        yield* this.#scanList(start, before && before.#listStart === start ? before : undefined);
        at = this.#listEnd;
      } else at = valueEnd(bytes, start);
      this.#fields.set(name, { start, end: at });
      at = skipSpace(bytes, at);
      if (bytes[at] !== COMMA) break;
      at = skipSpace(bytes, at + 1);
    }
    if (bytes[at] !== CLOSE_OBJECT || skipSpace(bytes, at + 1) !== bytes.length || this.#listEnd === 0)
      throw new NotUnderstood();
  }

  *#scanList(start: number, before: BytesList | undefined): Generator<void> {
    const bytes = this.#bytes;
    this.#listStart = start;
    let at = skipSpace(bytes, start + 1);
    if (before) this.#elements = before.#elements.slice(0, countBefore(before.#elements, this.#sharedBytes));
    const last = this.#elements.at(-1);
    if (last) {
      at = skipSpace(bytes, last.end);
      if (bytes[at] === COMMA) at = skipSpace(bytes, at + 1);
    }
    while (bytes[at] === OPEN_OBJECT) {
      const end = valueEnd(bytes, at);
      const values = this.values + valueCount(bytes, at, end);
      if (values > MAX_VALUES) throw new NotUnderstood();
      this.#elements.push({ start: at, end, values });
      yield;
      at = skipSpace(bytes, end);
      if (bytes[at] !== COMMA) break;
      at = skipSpace(bytes, at + 1);
    }
    if (bytes[at] !== CLOSE_LIST) throw new NotUnderstood();
    this.#listEnd = at + 1;
  }
}

/** The bytes of a text with another one, or of a list with other texts. */
function withText(value: Uint8Array, text: string): Uint8Array {
  if (value[0] === QUOTE) return Buffer.from(JSON.stringify(text));
  if (value[0] !== OPEN_LIST) throw new NotUnderstood();
  return spliceJson(value, textChanges(JSON.parse(decoder.decode(value)) as unknown[], text));
}

/** How many elements are whole in the first bytes: a comma or the end follows each. By halves. */
function countBefore(elements: readonly Span[], bytes: number): number {
  let low = 0;
  let high = elements.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (elements[middle]!.end < bytes) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The length of the common start of two bodies: in large steps, then by halves. */
function sharedBytes(one: Buffer, other: Buffer): number {
  let low = 0;
  let high = Math.min(one.length, other.length);
  while (low < high) {
    const middle = low + Math.ceil((high - low) / 2);
    if (one.compare(other, low, middle, low, middle) === 0) low = middle;
    else high = middle - 1;
  }
  return low;
}
