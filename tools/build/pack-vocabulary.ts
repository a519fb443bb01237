import {
  type Encoding,
  emptyPack,
  HASH_MULTIPLIER,
  NO_RANK,
  readPacked,
  SLOT_ID_MASK,
  slotHash,
  type Vocabulary,
} from '../../src/tokens/vocabulary/vocabulary.ts';

/** The least number of slots per token, so that probing is short. */
const SLOTS_PER_TOKEN = 2.2;

const isContinuation = (byte: number): boolean => (byte & 0xc0) === 0x80;

function characterBytes(lead: number): number {
  if (lead < 0x80) return 1;
  if (lead < 0xe0) return 2;
  return lead < 0xf0 ? 3 : 4;
}

function cutsCharacter(token: Uint8Array): boolean {
  let at = 0;
  while (at < token.length && !isContinuation(token[at]!)) at += characterBytes(token[at]!);
  return at !== token.length;
}

function setUnsafeBorders(unsafe: Uint8Array, token: Uint8Array): void {
  if (!cutsCharacter(token)) return;
  for (let at = 1; at < token.length; at++) {
    if (!isContinuation(token[at]!)) unsafe[(token[at - 1]! << 8) | token[at]!] = 1;
  }
}

function indexToken({ slots, slotMask, pairRanks, filter }: Vocabulary, id: number, token: Uint8Array): void {
  if (token.length === 2) pairRanks[(token[0]! << 8) | token[1]!] = id;
  const polynomial = token.reduce((hash, byte) => (Math.imul(hash, HASH_MULTIPLIER) + byte + 1) | 0, 0);
  const hash = slotHash(polynomial, token.length);
  let slot = hash & slotMask;
  while (slots[slot] !== 0) slot = (slot + 1) & slotMask;
  slots[slot] = (hash & ~SLOT_ID_MASK) | (id + 1);
  const bit = hash >>> 11;
  filter[bit >>> 5]! |= 1 << (bit & 31);
}

/** The tokens by id; `undefined` for an id without a token. */
function tokensOf(ranks: string): Uint8Array[] {
  const tokens: Uint8Array[] = [];
  for (const line of ranks.split('\n')) {
    const [, firstId, ...encoded] = line.split(' ');
    for (const [offset, token] of encoded.entries()) tokens[Number(firstId) + offset] = Buffer.from(token, 'base64');
  }
  return tokens;
}

/**
 * The tokens of an encoding and their index, in the form of `readPacked`.
 * @param ranks lines of `! <first id> <base64> <base64> …`, as in the `tiktoken` package
 * @throws RangeError if there are more tokens than ids fit into a slot.
 */
export function packVocabulary(encoding: Encoding, ranks: string): SharedArrayBuffer {
  const tokens = tokensOf(ranks);
  if (tokens.length >= SLOT_ID_MASK)
    throw new RangeError(`${tokens.length} tokens, but a slot contains only ids below ${SLOT_ID_MASK}`);
  let slots = 1;
  while (slots < tokens.length * SLOTS_PER_TOKEN) slots *= 2;
  const tokenBytes = tokens.reduce((total, token) => total + token.length, 0);
  const longestBytes = tokens.reduce((longest, token) => Math.max(longest, token.length), 0);
  const packed = emptyPack({ tokens: tokens.length, longestBytes, slots, tokenBytes });
  const vocabulary = readPacked(encoding, packed);
  vocabulary.pairRanks.fill(NO_RANK);
  for (let id = 0, at = 0; id < tokens.length; id++) {
    const token = tokens[id];
    if (token) {
      vocabulary.bytes.set(token, at);
      at += token.length;
      indexToken(vocabulary, id, token);
      setUnsafeBorders(vocabulary.unsafeBorders, token);
    }
    vocabulary.starts[id + 1] = at;
  }
  return packed;
}
