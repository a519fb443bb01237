import { fieldOf, isList, keysOf, readOr } from './foreign-value.ts';

/** A value with more parts than this may contain itself, or share parts many times. */
const MAX_TREE_VALUES = 200_000;
/** The size of the parts of fallback text, so that no string exceeds the limit of strings. */
const PART_UNITS = 1 << 20;

type Frame = { readonly keys: readonly string[]; readonly owner: object; at: number };

/** True if the value has few enough parts for `JSON.stringify`. */
function isModerateTree(value: object): boolean {
  const pending: object[] = [value];
  let visited = 0;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const key of keysOf(next)) {
      if (++visited > MAX_TREE_VALUES) return false;
      const child = fieldOf(next, key);
      if (typeof child === 'object' && child !== null) pending.push(child);
    }
  }
  return true;
}

const scalarText = (value: unknown): string =>
  typeof value === 'bigint' || typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? 'null');

/** Writes what can be read as JSON, each object once, without recursion. */
function* lenientJson(value: object): Generator<string, void, undefined> {
  const seen = new Set<object>([value]);
  const frames: Frame[] = [{ keys: keysOf(value), owner: value, at: 0 }];
  let part = '';
  for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
    if (part.length > PART_UNITS) {
      yield part;
      part = '';
    }
    const isOfList = isList(frame.owner);
    if (frame.at === 0) part += isOfList ? '[' : '{';
    if (frame.at === frame.keys.length) {
      part += isOfList ? ']' : '}';
      frames.pop();
      continue;
    }
    const key = frame.keys[frame.at++] as string;
    const child = fieldOf(frame.owner, key);
    if (frame.at > 1) part += ',';
    if (!isOfList) part += `${JSON.stringify(key)}:`;
    if (typeof child !== 'object' || child === null) part += scalarText(child);
    else if (seen.has(child)) part += '"…"';
    else {
      seen.add(child);
      frames.push({ keys: keysOf(child), owner: child, at: 0 });
    }
  }
  yield part;
}

/**
 * The text of a value in a request, in parts: a string as it is, `undefined` as nothing, other values as JSON. Linear in
 * the value; never throws: what JSON rejects (cycles, BigInt, getters that throw) or would repeat without end (shared
 * parts) is written once, as far as it can be read.
 */
export function* jsonText(value: unknown): Generator<string, void, undefined> {
  if (value === undefined) return;
  if (typeof value !== 'object' || value === null) {
    yield typeof value === 'string' ? value : scalarText(value);
    return;
  }
  // A value that JSON rejects is written below.
  const text = readOr(() => (isModerateTree(value) ? JSON.stringify(value) : undefined), undefined);
  if (text === undefined) yield* lenientJson(value);
  else yield text;
}
