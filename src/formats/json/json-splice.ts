import { append } from '../../content/append.ts';
import { madeOnce } from '../../content/group-by.ts';
import { CompressionStrategyError } from '../../errors.ts';
import { joinLines } from '../lines/lines.ts';
import type { JsonChange, JsonPath } from './json-change.ts';
import { membersOf, OPEN_LIST, OPEN_OBJECT, skipSpace, valueEnd } from './json-scan.ts';
import { jsonText } from './json-text.ts';

/** Changes of the value at `path`, as changes of the whole text. */
export function within(path: JsonPath, changes: readonly JsonChange[]): JsonChange[] {
  return changes.map((change) => ({ ...change, path: [...path, ...change.path] }));
}

interface Branch {
  readonly children: Map<string | number, Branch>;
  readonly inserted: unknown[];
  change?: Exclude<JsonChange, { kind: 'insert' }>;
}

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
const encoder = new TextEncoder();

function unusable(expected: string, path: JsonPath): CompressionStrategyError {
  return new CompressionStrategyError(
    `Expected ${expected} at ${JSON.stringify(path)} of a JSON text, got something else. The file is not written.`,
    'SESSION_NOT_WRITABLE',
  );
}

function plant(changes: readonly JsonChange[]): Branch {
  const root: Branch = { children: new Map(), inserted: [] };
  for (const change of changes) {
    let branch = root;
    for (const key of change.path) {
      branch = madeOnce(branch.children, key, () => ({ children: new Map(), inserted: [] }));
    }
    if (change.kind !== 'insert') branch.change = change;
    else if (typeof change.path.at(-1) === 'number') append(branch.inserted, change.values);
    else throw unusable('an index of a list', change.path);
  }
  return root;
}

/** One pass over the containers on the paths of changes; all other values are copied without parsing. */
class Splice {
  readonly pieces: Uint8Array[] = [];
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  copy(start: number, end: number): void {
    this.pieces.push(this.#bytes.subarray(start, end));
  }

  write(value: unknown): void {
    this.pieces.push(encoder.encode(jsonText(value, 'a new value')));
  }

  value(start: number, branch: Branch | undefined, path: JsonPath): void {
    if (branch?.change?.kind === 'set') this.write(branch.change.value);
    else if (branch && branch.children.size > 0) this.container(start, branch, path);
    else this.copy(start, valueEnd(this.#bytes, start));
  }

  container(start: number, branch: Branch, path: JsonPath): void {
    const opening = this.#bytes[start];
    if (opening !== OPEN_OBJECT && opening !== OPEN_LIST) throw unusable('an object or a list', path);
    const members = membersOf(this.#bytes, start);
    const end = valueEnd(this.#bytes, start);
    const first = members[0];
    const last = members.at(-1);
    // JSON.parse uses the last of several equal keys.
    const places = new Map(members.map((member, index) => [member.key, index]));
    let isEmpty = true;
    /** Writes what separates two elements: `gap` of the original text, or a comma. */
    const separate = (gap: readonly [number, number] | undefined): void => {
      if (!isEmpty && gap) this.copy(...gap);
      else if (!isEmpty) this.pieces.push(encoder.encode(','));
      isEmpty = false;
    };
    const insert = (values: readonly unknown[] = []): void => {
      for (const value of values) {
        separate(undefined);
        this.write(value);
      }
    };
    this.copy(start, first?.start ?? end - 1);
    for (const [index, member] of members.entries()) {
      const child = places.get(member.key) === index ? branch.children.get(member.key) : undefined;
      insert(child?.inserted);
      if (child?.change?.kind === 'remove') continue;
      const previous = members[index - 1];
      separate(previous && [previous.end, member.start]);
      this.copy(member.start, member.valueStart);
      this.value(member.valueStart, child, [...path, member.key]);
    }
    for (const [key, { change, inserted }] of branch.children) {
      if (places.has(key)) continue;
      const isNext = opening === OPEN_OBJECT ? typeof key === 'string' : key === members.length;
      if (!isNext || (inserted.length === 0 && change?.kind !== 'set')) throw unusable('a value', [...path, key]);
      insert(inserted);
      if (change?.kind !== 'set') continue;
      separate(undefined);
      if (opening === OPEN_OBJECT) this.pieces.push(encoder.encode(`${JSON.stringify(key)}:`));
      this.write(change.value);
    }
    this.copy(last?.end ?? end - 1, end);
  }
}

/**
 * The same JSON text with these changes; every other byte, white space and byte order mark is kept. `bytes` must be valid
 * JSON; white space may follow it. Linear in the text.
 * @throws CompressionStrategyError `SESSION_NOT_WRITABLE` if a path does not exist.
 */
export function spliceJson(bytes: Uint8Array, changes: readonly JsonChange[]): Uint8Array {
  if (changes.length === 0) return bytes;
  const splice = new Splice(bytes);
  const afterMark = BYTE_ORDER_MARK.every((byte, index) => bytes[index] === byte) ? BYTE_ORDER_MARK.length : 0;
  const start = skipSpace(bytes, afterMark);
  splice.copy(0, start);
  splice.value(start, plant(changes), []);
  splice.copy(valueEnd(bytes, start), bytes.length);
  return joinLines(splice.pieces);
}
