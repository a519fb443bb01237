import { readOr } from '../../content/foreign-value.ts';

/** Deeper than any tool parameter in practice, shallow enough for every recursion over the copy, `JSON.stringify` included. */
const MAX_DEPTH = 500;
const UNREADABLE = '[Unreadable]';

/**
 * A deep copy that JSON can express: a reference to a containing object becomes `"[Circular]"`, a value nested deeper
 * than 500 `"[Too deep]"`, a value that cannot be read `"[Unreadable]"`, a bigint its digits, an object with `toJSON`
 * (a date) the result of that. Functions, symbols and `undefined` are left out of objects and `null` in lists. Never throws.
 */
export function copyForJson<Value>(value: Value): Value {
  const open = new Set<object>();
  const copy = (part: unknown, depth: number): unknown => {
    if (typeof part === 'bigint') return String(part);
    if (typeof part === 'function' || typeof part === 'symbol') return undefined;
    if (typeof part !== 'object' || part === null) return part;
    if (open.has(part)) return '[Circular]';
    if (depth > MAX_DEPTH) return '[Too deep]';
    open.add(part);
    // A getter, a proxy or a `toJSON` may throw.
    const copied = readOr(() => copyObject(part, depth), UNREADABLE);
    open.delete(part);
    return copied;
  };
  const copyObject = (part: object, depth: number): unknown => {
    if (Array.isArray(part)) return part.map((inner) => copy(inner, depth + 1) ?? null);
    if ('toJSON' in part && typeof part.toJSON === 'function') {
      const written: unknown = part.toJSON();
      if (written !== part) return copy(written, depth + 1);
    }
    const result: Record<string, unknown> = {};
    for (const key of Object.keys(part)) {
      const copied = copy(
        readOr((): unknown => part[key as keyof typeof part], UNREADABLE),
        depth + 1,
      );
      if (copied === undefined) continue;
      // A plain assignment to this key would set the prototype.
      if (key === '__proto__') Object.defineProperty(result, key, { value: copied, enumerable: true });
      else result[key] = copied;
    }
    return result;
  };
  return copy(value, 0) as Value;
}
