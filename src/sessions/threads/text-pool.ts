/** Shorter strings are sent in the value itself. */
const MIN_CHARACTERS = 64;
/** No character beyond U+00FF. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are characters of one byte, too.
const NARROW = /^[\u0000-\u00ff]*$/;
const LENGTH_BITS = 32n;

/** Long texts one after the other, of one and of two bytes a character. */
export interface PooledTexts {
  readonly narrow: Uint8Array;
  readonly wide: Uint8Array;
}

/**
 * Moves the long texts of plain values into a pool. The receiver gets each pool as one string, and the texts as views of
 * it, so a garbage collection copies one text per pool. A moved text is replaced by a bigint, which JSON cannot contain.
 * Source: 61 MB of Claude Code left 75 MB in the old space of the receiving thread without pools, 25 MB with them.
 */
export class TextPool {
  readonly #narrow: string[] = [];
  readonly #wide: string[] = [];
  #narrowLength = 0;
  #wideLength = 0;

  /** The same value without its long texts. */
  pack(value: unknown): unknown {
    if (typeof value === 'string') return value.length < MIN_CHARACTERS ? value : this.#place(value);
    if (Array.isArray(value)) return value.map((item) => this.pack(item));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.pack(item)]));
  }

  #place(text: string): bigint {
    const isNarrow = NARROW.test(text);
    const start = isNarrow ? this.#narrowLength : this.#wideLength;
    if (isNarrow) this.#narrowLength += text.length;
    else this.#wideLength += text.length;
    (isNarrow ? this.#narrow : this.#wide).push(text);
    return (((BigInt(start) << LENGTH_BITS) | BigInt(text.length)) << 1n) | (isNarrow ? 0n : 1n);
  }

  texts(): PooledTexts {
    return {
      narrow: Buffer.from(this.#narrow.join(''), 'latin1'),
      wide: Buffer.from(this.#wide.join(''), 'utf16le'),
    };
  }
}

const decoded = ({ buffer, byteOffset, length }: Uint8Array, encoding: 'latin1' | 'utf16le'): string =>
  Buffer.from(buffer, byteOffset, length).toString(encoding);

/** Puts the texts of a pool back into the value packed with it, in place. */
export function unpacker({ narrow, wide }: PooledTexts): (value: unknown) => unknown {
  const pools = [decoded(narrow, 'latin1'), decoded(wide, 'utf16le')] as const;
  const textAt = (place: bigint): string => {
    const start = Number(place >> (LENGTH_BITS + 1n));
    return pools[(place & 1n) === 0n ? 0 : 1].slice(start, start + Number(BigInt.asUintN(32, place >> 1n)));
  };
  const unpack = (value: unknown): unknown => {
    if (typeof value === 'bigint') return textAt(value);
    if (typeof value !== 'object' || value === null) return value;
    for (const [key, item] of Object.entries(value)) {
      if (typeof item === 'bigint' || typeof item === 'object') (value as Record<string, unknown>)[key] = unpack(item);
    }
    return value;
  };
  return unpack;
}
