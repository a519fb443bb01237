import type { IContent } from '../../content/content.ts';

type Keys = readonly (string | number)[];

/** A text that was removed from an entry, and its place. */
export interface LongText {
  readonly keys: Keys;
  readonly text: string;
}

/**
 * `entry`, which is plain data, with every text over `longUnits` emptied, and those texts. What refers to itself does
 * so in the copy; parts without long texts are copied as well.
 */
export function takeLongTexts(entry: IContent, longUnits: number): { entry: IContent; texts: LongText[] } {
  const texts: LongText[] = [];
  const copies = new Map<object, object>();
  const copy = (part: unknown, keys: Keys): unknown => {
    if (typeof part === 'string' && part.length > longUnits) {
      texts.push({ keys, text: part });
      return '';
    }
    if (typeof part !== 'object' || part === null) return part;
    const known = copies.get(part);
    if (known) return known;
    const copied: object = Array.isArray(part) ? [] : {};
    copies.set(part, copied);
    for (const [key, inner] of Object.entries(part)) {
      const value = copy(inner, [...keys, key]);
      Object.defineProperty(copied, key, { value, enumerable: true, writable: true, configurable: true });
    }
    return copied;
  };
  return { entry: copy(entry, []) as IContent, texts };
}

/** Puts a text back where `takeLongTexts` found it. @throws TypeError when nothing is there. */
export function putText(entry: IContent | undefined, keys: Keys, text: string): void {
  let holder: unknown = entry;
  for (const key of keys.slice(0, -1)) holder = (holder as Record<string | number, unknown>)[key];
  const last = keys.at(-1);
  if (typeof holder !== 'object' || holder === null || last === undefined) {
    throw new TypeError(`Expected an object at ${keys.join('.')}, got ${String(holder)}.`);
  }
  (holder as Record<string | number, unknown>)[last] = text;
}
