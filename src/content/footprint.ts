import { types } from 'node:util';

/** What a value costs to keep or to send. */
export interface Footprint {
  /** Memory that it takes, near enough: its text, and a share for each object and value. */
  readonly bytes: number;
  /** Whether a structured clone carries it and JSON writes the clone as it writes the value. */
  readonly isPlain: boolean;
}

const OBJECT_BYTES = 48;
const VALUE_BYTES = 8;
/** A structured clone of 2,000 levels overflows the stack; nothing that a model writes comes near. Source: measured. */
const MOST_LEVELS = 500;
/** A text is taken for what its beginning is: looking through all of it takes 0.7 ms per megabyte. */
const SAMPLE_UNITS = 1 << 16;
const WIDE = /[\u0100-\uffff]/;

/** Memory that a text takes: one byte per unit, two where it has a character beyond Latin-1. */
export function textBytes(text: string): number {
  const sample = text.length > SAMPLE_UNITS ? text.slice(0, SAMPLE_UNITS) : text;
  return WIDE.test(sample) ? 2 * text.length : text.length;
}

function isPlainObject(value: object): boolean {
  if (types.isProxy(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) ? prototype === Array.prototype : prototype === Object.prototype || prototype === null;
}

/**
 * What `value` costs; each object counts once. It is not plain when it holds functions, symbols, proxies, instances of
 * classes, getters that throw, or more than 500 levels. Linear in values, never throws.
 */
export function footprint(value: unknown): Footprint {
  const sum = new FootprintSum();
  try {
    sum.add(value, 0);
  } catch {
    sum.isPlain = false;
  }
  return { bytes: sum.bytes, isPlain: sum.isPlain };
}

/** Up to so many objects are looked through one by one, which makes no garbage; an entry has about ten. */
const FEW = 24;

class FootprintSum {
  bytes = 0;
  isPlain = true;
  readonly #few: object[] = [];
  #many: Set<object> | undefined;

  add(part: unknown, level: number): void {
    if (typeof part === 'string') this.bytes += VALUE_BYTES + textBytes(part);
    else if (typeof part === 'function' || typeof part === 'symbol') this.isPlain = false;
    else if (typeof part !== 'object' || part === null) this.bytes += VALUE_BYTES;
    else if (this.#isNew(part)) this.#addObject(part, level);
  }

  #addObject(part: object, level: number): void {
    this.bytes += OBJECT_BYTES;
    if (level > MOST_LEVELS || !isPlainObject(part)) this.isPlain = false;
    if (level > MOST_LEVELS) return;
    for (const key of Object.keys(part)) this.add((part as Record<string, unknown>)[key], level + 1);
  }

  #isNew(part: object): boolean {
    if (this.#many === undefined) {
      if (this.#few.includes(part)) return false;
      if (this.#few.push(part) > FEW) this.#many = new Set(this.#few);
      return true;
    }
    const { size } = this.#many;
    return this.#many.add(part).size > size;
  }
}
