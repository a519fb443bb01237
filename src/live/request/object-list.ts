import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../../content/foreign-value.ts';
import { withText } from '../../formats/blocks/text-list.ts';
import { type JsonPath, valueAt, withValueAt } from '../../formats/json/json-change.ts';
import type { Message } from '../../formats/messages/message-list.ts';
import { NotUnderstood, type Replacement, type RequestList } from './request-list.ts';

/** The list of a parsed body. */
export function objectList(body: object, key: string): RequestList {
  return new ObjectList(body as Message, key);
}

class ObjectList implements RequestList {
  readonly isBytes = false;
  readonly sizeBytes = 0;
  readonly values = 0;
  readonly #body: Message;
  readonly #key: string;
  readonly #elements: readonly unknown[];

  constructor(body: Message, key: string) {
    const list = body[key];
    if (!Array.isArray(list)) throw new NotUnderstood();
    this.#body = body;
    this.#key = key;
    this.#elements = [...list];
  }

  same(other: RequestList): number {
    if (!(other instanceof ObjectList)) return 0;
    const list = this.#elements;
    const old = other.#elements;
    let same = 0;
    while (same < old.length && same < list.length && isDeepStrictEqual(old[same], list[same])) same++;
    return same;
  }

  get length(): number {
    return this.#elements.length;
  }

  element(index: number): Message {
    const element = this.#elements[index];
    if (!isRecord(element)) throw new NotUnderstood();
    return element;
  }

  /** Looking would take as long as reading. */
  elementMentions(): boolean {
    return true;
  }

  get names(): readonly string[] {
    return Object.keys(this.#body).filter((name) => name !== this.#key);
  }

  field(name: string): unknown {
    return this.#body[name];
  }

  wholeField(name: string): unknown {
    return this.#body[name];
  }

  isSameField(name: string, other: RequestList): boolean {
    if (!(other instanceof ObjectList)) return false;
    const [own, old] = [this.#body[name], other.#body[name]];
    // Equal objects with their fields in another order are sent as other bytes.
    return own === old || JSON.stringify(own) === JSON.stringify(old);
  }

  besideText(): string {
    const { [this.#key]: _, ...beside } = this.#body;
    return JSON.stringify(beside);
  }

  mentions(text: string, from: number): boolean {
    const { [this.#key]: _, ...beside } = this.#body;
    return JSON.stringify([beside, this.#elements.slice(from)]).includes(text);
  }

  write(replacements: readonly Replacement[]): object {
    const list = [...this.#elements];
    for (const { element, path, text, omitted } of replacements)
      list[element] = omitted ? without(list[element], omitted) : withTextAt(list[element], path, text);
    return { ...this.#body, [this.#key]: list };
  }
}

/** A copy of a message without these blocks. */
function without(value: unknown, omitted: readonly JsonPath[]): unknown {
  const message = value as Message;
  const places = new Set(omitted.map((path) => path.at(-1)));
  return { ...message, content: (message['content'] as unknown[]).filter((_, at) => !places.has(at)) };
}

/** A copy of a value with another text at `path`; everything else is the same objects. */
const withTextAt = (value: unknown, path: JsonPath, text: string): unknown =>
  withValueAt(value, path, withText(valueAt(value, path), text));
