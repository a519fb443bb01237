import { isDeepJson } from './deep-json.ts';

/** True for a list; false if asking throws, as a revoked proxy does (REQ-HD-013.5). */
export function isList(value: unknown): value is readonly unknown[] {
  try {
    return Array.isArray(value);
  } catch {
    return false;
  }
}

/** The fields of a value from outside. */
export type Fields = Readonly<Record<string, unknown>>;

/** True for an object that is not a list: a value from outside whose fields can be asked for (REQ-HD-013.5). */
export function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !isList(value);
}

/** The value in a JSON text; `undefined` if it is none or too deep, as the last line of a process that was killed. */
export function jsonOf(text: string | Buffer): unknown {
  const given = text.toString();
  return isDeepJson(given) ? undefined : readOr((): unknown => JSON.parse(given), undefined);
}

/** The object in a JSON text; `undefined` for anything else. */
export function jsonFields(text: string | Buffer): Fields | undefined {
  const value = jsonOf(text);
  return isRecord(value) ? value : undefined;
}

/** The keys of a value from outside; none if asking throws, as a proxy may (REQ-HD-013.5). */
export const keysOf = (value: object): readonly string[] => readOr<string[], string[]>(() => Object.keys(value), []);

/** A field of a value from outside; `undefined` if reading it throws, as a getter or a proxy may (REQ-HD-013.5). */
export function fieldOf(value: object, key: string): unknown {
  try {
    return (value as Record<string, unknown>)[key];
  } catch {
    return undefined;
  }
}

/** The value if it is a string, otherwise ''. */
export const asText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The value if it is a number of at least 0, otherwise 0. */
export const asCount = (value: unknown): number => (typeof value === 'number' && value >= 0 ? value : 0);

/** What `read` returns; `fallback` if it throws. */
export function readOr<Value, Fallback>(read: () => Value, fallback: Fallback): Value | Fallback {
  try {
    return read();
  } catch {
    return fallback;
  }
}

/** The records of a list; none if it is no list. */
export const recordsOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.filter(isRecord) : []);
