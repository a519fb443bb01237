/** The byte-pair encodings counted exactly. */
export type Encoding = 'o200k_base' | 'cl100k_base';

/** No token: greater than every rank. */
export const NO_RANK = 0x7fffffff;

/** Multiplier of the polynomial hash of a byte string, `h = h * HASH_MULTIPLIER + byte + 1` from 0. */
export const HASH_MULTIPLIER = 0x01000193;

/** A slot holds `id + 1` in its low bits and, for a first comparison, the high bits of the token's hash. */
export const SLOT_ID_MASK = 0x3ffff;

/**
 * The tokens of an encoding, indexed for merging. A token's rank is its id. Every array stands on one
 * SharedArrayBuffer, so that handing a vocabulary to a thread copies nothing.
 */
export interface Vocabulary {
  readonly encoding: Encoding;
  /** Bytes of the longest token. */
  readonly longestBytes: number;
  /** Bytes of all tokens; token `id` is `bytes[starts[id], starts[id + 1])`, empty where an encoding has a hole. */
  readonly bytes: Uint8Array;
  readonly starts: Int32Array;
  /** Open addressing by `slotHash`: see `SLOT_ID_MASK`, 0 where it is free; `slotMask` is slots - 1. */
  readonly slots: Int32Array;
  readonly slotMask: number;
  /** The rank of each token of two bytes, by `first << 8 | second`. */
  readonly pairRanks: Int32Array;
  /** One bit for `slotHash >>> 11` of each token: most byte strings that are no token stop here. */
  readonly filter: Int32Array;
  /** 1 for `last << 8 | first` at the borders between characters that lie inside tokens which cut some character. */
  readonly unsafeBorders: Uint8Array;
}

/** The hash of a byte string in `slots` and `filter`, from its polynomial hash and its length in bytes. */
export function slotHash(polynomial: number, lengthBytes: number): number {
  let hash = Math.imul(polynomial ^ lengthBytes, 0x85ebca6b);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0xc2b2ae35);
  return hash ^ (hash >>> 13);
}

/** Changes with the layout below, and with `slotHash`. */
export const PACK_FORMAT = 2;

/** What a packed vocabulary starts with, behind its format: numbers of 32 bits. */
export interface PackHeader {
  readonly tokens: number;
  readonly longestBytes: number;
  readonly slots: number;
  /** Bytes of all tokens. */
  readonly tokenBytes: number;
}

const HEADER_NUMBERS = 5;
const PAIRS = 0x10000;
const FILTER_WORDS = 0x10000;

function packedBytes({ tokens, slots, tokenBytes }: PackHeader): number {
  return 4 * (HEADER_NUMBERS + tokens + 1 + slots + PAIRS + FILTER_WORDS) + PAIRS + tokenBytes;
}

function layOut(encoding: Encoding, packed: SharedArrayBuffer, header: PackHeader): Vocabulary {
  let at = 4 * HEADER_NUMBERS;
  const words = (length: number): Int32Array => {
    const array = new Int32Array(packed, at, length);
    at += array.byteLength;
    return array;
  };
  return {
    encoding,
    longestBytes: header.longestBytes,
    slotMask: header.slots - 1,
    starts: words(header.tokens + 1),
    slots: words(header.slots),
    pairRanks: words(PAIRS),
    filter: words(FILTER_WORDS),
    unsafeBorders: new Uint8Array(packed, at, PAIRS),
    bytes: new Uint8Array(packed, at + PAIRS, header.tokenBytes),
  };
}

/** Room for a packed vocabulary: the header stands, `readPacked` gives the arrays to fill. */
export function emptyPack(header: PackHeader): SharedArrayBuffer {
  const packed = new SharedArrayBuffer(packedBytes(header));
  const { tokens, longestBytes, slots, tokenBytes } = header;
  new Int32Array(packed, 0, HEADER_NUMBERS).set([PACK_FORMAT, tokens, longestBytes, slots, tokenBytes]);
  return packed;
}

/**
 * The vocabulary in what `packVocabulary` packed; its arrays stand there, nothing is copied.
 * @throws RangeError when the bytes are fewer or more than their header says, or of another format.
 */
export function readPacked(encoding: Encoding, packed: SharedArrayBuffer): Vocabulary {
  const isHeaded = packed.byteLength >= 4 * HEADER_NUMBERS;
  const [format = 0, ...numbers] = isHeaded ? new Int32Array(packed, 0, HEADER_NUMBERS) : [];
  const [tokens = 0, longestBytes = 0, slots = 0, tokenBytes = 0] = numbers;
  const header = { tokens, longestBytes, slots, tokenBytes };
  if (format !== PACK_FORMAT)
    throw new RangeError(`${packed.byteLength} bytes that start as no packed vocabulary does`);
  if (packedBytes(header) !== packed.byteLength) {
    throw new RangeError(`${packed.byteLength} bytes where ${packedBytes(header)} were announced`);
  }
  return layOut(encoding, packed, header);
}
