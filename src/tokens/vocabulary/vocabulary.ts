import { counted, grouped } from '../../content/counted.ts';
/** The byte-pair encodings that are counted exactly. */
export type Encoding = 'o200k_base' | 'cl100k_base';

/** The rank of what is not a token, greater than every rank. */
export const NO_RANK = 0x7fffffff;

/** The multiplier of the polynomial hash of a byte string: `h = h * HASH_MULTIPLIER + byte + 1`, from 0. */
export const HASH_MULTIPLIER = 0x01000193;

/** A slot contains `id + 1` in its low bits and, for a first comparison, the high bits of the token's hash. */
export const SLOT_ID_MASK = 0x3ffff;

/**
 * The tokens of an encoding, indexed for merging. The rank of a token is its id. All arrays are views of one
 * SharedArrayBuffer: sending a vocabulary to a thread copies nothing.
 */
export interface Vocabulary {
  readonly encoding: Encoding;
  /** Length of the longest token. */
  readonly longestBytes: number;
  /** All tokens; token `id` is `bytes[starts[id], starts[id + 1])`, empty for an id without a token. */
  readonly bytes: Uint8Array;
  readonly starts: Int32Array;
  /** Open addressing by `slotHash` (see `SLOT_ID_MASK`); 0 is a free slot; `slotMask` is the number of slots - 1. */
  readonly slots: Int32Array;
  readonly slotMask: number;
  /** The rank of each token of two bytes, by `first << 8 | second`. */
  readonly pairRanks: Int32Array;
  /** A bit for `slotHash >>> 11` of each token: it rejects most byte strings that are not tokens. */
  readonly filter: Int32Array;
  /** 1 for `last << 8 | first` of the borders between characters inside tokens that cut a character. */
  readonly unsafeBorders: Uint8Array;
}

/** The hash of a byte string in `slots` and `filter`, from its polynomial hash and its length. */
export function slotHash(polynomial: number, lengthBytes: number): number {
  let hash = Math.imul(polynomial ^ lengthBytes, 0x85ebca6b);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0xc2b2ae35);
  return hash ^ (hash >>> 13);
}

/** To be changed with the layout and with `slotHash`. */
export const PACK_FORMAT = 2;

/** The header of a packed vocabulary, after its format: 32-bit numbers. */
export interface PackHeader {
  readonly tokens: number;
  readonly longestBytes: number;
  readonly slots: number;
  /** The length of all tokens together. */
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

/** Memory for a packed vocabulary, with its header; `readPacked` returns the arrays to fill. */
export function emptyPack(header: PackHeader): SharedArrayBuffer {
  const packed = new SharedArrayBuffer(packedBytes(header));
  const { tokens, longestBytes, slots, tokenBytes } = header;
  new Int32Array(packed, 0, HEADER_NUMBERS).set([PACK_FORMAT, tokens, longestBytes, slots, tokenBytes]);
  return packed;
}

/**
 * The vocabulary in the result of `packVocabulary`; its arrays are views, nothing is copied.
 * @throws RangeError if the number of bytes differs from the header, or the format is another.
 */
export function readPacked(encoding: Encoding, packed: SharedArrayBuffer): Vocabulary {
  const isHeaded = packed.byteLength >= 4 * HEADER_NUMBERS;
  const [format = 0, ...numbers] = isHeaded ? new Int32Array(packed, 0, HEADER_NUMBERS) : [];
  const [tokens = 0, longestBytes = 0, slots = 0, tokenBytes = 0] = numbers;
  const header = { tokens, longestBytes, slots, tokenBytes };
  if (format !== PACK_FORMAT)
    throw new RangeError(`${counted(packed.byteLength, 'byte')} without the header of a packed vocabulary`);
  if (packedBytes(header) !== packed.byteLength) {
    throw new RangeError(`${counted(packed.byteLength, 'byte')} instead of ${grouped(packedBytes(header))}`);
  }
  return layOut(encoding, packed, header);
}
