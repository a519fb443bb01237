import { types } from 'node:util';

/** What it costs to keep a value in memory or to send it to a thread. */
export interface Footprint {
  /** Estimated memory: its text, and a constant for each object and value. */
  readonly bytes: number;
  /** True if a structured clone of it exists and JSON writes both alike. */
  readonly isPlain: boolean;
}

const OBJECT_BYTES = 48;
const VALUE_BYTES = 8;
/** Far above what a model writes; a structured clone of 2,000 levels overflows the stack. Source: measured. */
const MAX_LEVELS = 500;
/** Only the start of a text is searched for wide characters: searching all of it takes 0.7 ms per megabyte. */
const SAMPLE_UNITS = 1 << 16;
const WIDE = /[\u0100-\uffff]/;

/** Memory of a text: one byte per unit, or two if its start contains a character beyond Latin-1. */
export function textBytes(text: string): number {
  const sample = text.length > SAMPLE_UNITS ? text.slice(0, SAMPLE_UNITS) : text;
  return WIDE.test(sample) ? 2 * text.length : text.length;
}

function isPlainObject(value: object): boolean {
  if (types.isProxy(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) ? prototype === Array.prototype : prototype === Object.prototype || prototype === null;
}

/** Up to this many objects are searched in a list, which makes no garbage; an entry has about ten. */
const FEW = 24;

/**
 * The cost of `value`; each object counts once. A value with functions, symbols, proxies, instances of classes, getters
 * that throw, or more than 500 levels is not plain. Linear in values; never throws.
 */
export function footprint(value: unknown): Footprint {
  let bytes = 0;
  let isPlain = true;
  const few: object[] = [];
  let many: Set<object> | undefined;
  // What is still to be added, and the level of each.
  const parts = [value];
  const levels = [0];
  try {
    while (parts.length > 0) {
      const part = parts.pop();
      const level = levels.pop()!;
      if (typeof part === 'string') bytes += VALUE_BYTES + textBytes(part);
      else if (typeof part === 'function' || typeof part === 'symbol') isPlain = false;
      else if (typeof part !== 'object' || part === null) bytes += VALUE_BYTES;
      else if (many === undefined ? !few.includes(part) : !many.has(part)) {
        if (many !== undefined) many.add(part);
        else if (few.push(part) > FEW) many = new Set(few);
        bytes += OBJECT_BYTES;
        if (level > MAX_LEVELS || !isPlainObject(part)) isPlain = false;
        if (level > MAX_LEVELS) continue;
        for (const key of Object.keys(part)) {
          parts.push((part as Record<string, unknown>)[key]);
          levels.push(level + 1);
        }
      }
    }
  } catch {
    isPlain = false;
  }
  return { bytes, isPlain };
}

/** Whether `values` take more than `limitBytes`; looks at no more of them than it must. */
export function takeMoreThan(limitBytes: number, values: Iterable<unknown>): boolean {
  let bytes = 0;
  for (const value of values) {
    bytes += footprint(value).bytes;
    if (bytes > limitBytes) return true;
  }
  return false;
}
