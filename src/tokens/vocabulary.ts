/** The byte-pair encodings counted exactly. */
export type Encoding = 'o200k_base' | 'cl100k_base';

/** No token: greater than every rank. */
export const NO_RANK = 0x7fffffff;

/** Multiplier of the polynomial hash of a byte string, `h = h * HASH_MULTIPLIER + byte + 1` from 0. */
export const HASH_MULTIPLIER = 0x01000193;

/**
 * The tokens of an encoding, indexed for merging. A token's rank is its id. Every array stands on a
 * SharedArrayBuffer, so that handing a vocabulary to a thread copies nothing.
 */
export interface Vocabulary {
  readonly encoding: Encoding;
  /** Bytes of the longest token. */
  readonly longestBytes: number;
  /** Bytes of all tokens; token `id` is `bytes[starts[id], starts[id + 1])`, empty where an encoding has a hole. */
  readonly bytes: Uint8Array;
  readonly starts: Int32Array;
  /** Open addressing by `slotHash`: `[hash, id + 1]` for each slot, 0 where it is free; `slotMask` is slots - 1. */
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

type Tokens = Pick<Vocabulary, 'bytes' | 'starts'>;
/** Tokens `[from, to)`. */
type Step = { readonly from: number; readonly to: number };

const shared = (sizeBytes: number): SharedArrayBuffer => new SharedArrayBuffer(sizeBytes);
const isContinuation = (byte: number): boolean => (byte & 0xc0) === 0x80;

function characterBytes(lead: number): number {
  if (lead < 0x80) return 1;
  if (lead < 0xe0) return 2;
  return lead < 0xf0 ? 3 : 4;
}

function cutsCharacter(bytes: Uint8Array, start: number, end: number): boolean {
  let at = start;
  while (at < end && !isContinuation(bytes[at]!)) at += characterBytes(bytes[at]!);
  return at !== end;
}

function markUnsafeBorders(unsafe: Uint8Array, tokens: Tokens, { from, to }: Step): void {
  const { bytes, starts } = tokens;
  for (let id = from; id < to; id++) {
    const start = starts[id]!;
    const end = starts[id + 1]!;
    if (!cutsCharacter(bytes, start, end)) continue;
    for (let at = start + 1; at < end; at++) {
      if (!isContinuation(bytes[at]!)) unsafe[(bytes[at - 1]! << 8) | bytes[at]!] = 1;
    }
  }
}

/** Tokens indexed in one step: less than a millisecond, also while the code is cold. */
const STEP_TOKENS = 2_048;

/** Loops stand in functions of their own: the compiler makes more of them than of one that yields. */
function indexTokens(
  { slots, slotMask, pairRanks, filter }: Pick<Vocabulary, 'slots' | 'slotMask' | 'pairRanks' | 'filter'>,
  { bytes, starts }: Tokens,
  { from, to }: Step,
): void {
  for (let id = from; id < to; id++) {
    const start = starts[id]!;
    const end = starts[id + 1]!;
    if (start === end) continue;
    if (end - start === 2) pairRanks[(bytes[start]! << 8) | bytes[start + 1]!] = id;
    let polynomial = 0;
    for (let at = start; at < end; at++) polynomial = (Math.imul(polynomial, HASH_MULTIPLIER) + bytes[at]! + 1) | 0;
    const hash = slotHash(polynomial, end - start);
    let slot = hash & slotMask;
    while (slots[2 * slot + 1] !== 0) slot = (slot + 1) & slotMask;
    slots[2 * slot] = hash;
    slots[2 * slot + 1] = id + 1;
    const bit = hash >>> 11;
    filter[bit >>> 5]! |= 1 << (bit & 31);
  }
}

/**
 * Indexes packed tokens (the form of `packVocabulary`) in steps of less than a millisecond, 30 ms together for o200k_base.
 * @throws RangeError when the bytes are fewer or more than their header says.
 */
export function* indexInSteps(encoding: Encoding, packed: Uint8Array): Generator<void, Vocabulary, void> {
  const header = new DataView(packed.buffer, packed.byteOffset, 8);
  const count = header.getUint32(0, true);
  const longestBytes = header.getUint32(4, true);
  const bytes = new Uint8Array(shared(packed.length - 8 - count));
  bytes.set(packed.subarray(8 + count));
  const starts = new Int32Array(shared(4 * (count + 1)));
  for (let id = 0; id < count; id++) starts[id + 1] = starts[id]! + packed[8 + id]!;
  if (starts[count] !== bytes.length) {
    throw new RangeError(`${bytes.length} bytes of tokens where ${starts[count]} were announced`);
  }

  yield;
  let slotCount = 1;
  while (slotCount < count * 2.2) slotCount *= 2;
  const slotMask = slotCount - 1;
  const slots = new Int32Array(shared(8 * slotCount));
  const pairRanks = new Int32Array(shared(4 * 0x10000)).fill(NO_RANK);
  const filter = new Int32Array(shared(1 << 18));
  const unsafeBorders = new Uint8Array(shared(0x10000));
  const index = { slots, slotMask, pairRanks, filter };
  for (let from = 0; from < count; from += STEP_TOKENS) {
    yield;
    const step: Step = { from, to: Math.min(count, from + STEP_TOKENS) };
    indexTokens(index, { bytes, starts }, step);
    markUnsafeBorders(unsafeBorders, { bytes, starts }, step);
  }
  return { encoding, longestBytes, bytes, starts, slots, slotMask, pairRanks, filter, unsafeBorders };
}

/**
 * Indexes packed tokens at once.
 * @throws RangeError when the bytes are fewer or more than their header says.
 */
export function indexVocabulary(encoding: Encoding, packed: Uint8Array): Vocabulary {
  const steps = indexInSteps(encoding, packed);
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}
