/** Changes with the layout below. */
export const PACK_FORMAT = 1;

/**
 * The tokens of an encoding in one file: count and longest token (32 bits each, little-endian), one length byte
 * for each id (0 where there is a hole), then all bytes.
 * @param ranks lines of `! <first id> <base64> <base64> …`, as the `tiktoken` package ships them
 */
export function packVocabulary(ranks: string): Uint8Array {
  const tokens: Uint8Array[] = [];
  for (const line of ranks.split('\n')) {
    const [, firstId, ...encoded] = line.split(' ');
    for (const [offset, token] of encoded.entries()) tokens[Number(firstId) + offset] = Buffer.from(token, 'base64');
  }
  const sizeBytes = tokens.reduce((total, token) => total + token.length, 0);
  const packed = new Uint8Array(8 + tokens.length + sizeBytes);
  let at = 8 + tokens.length;
  let longest = 0;
  tokens.forEach((token, id) => {
    packed[8 + id] = token.length;
    packed.set(token, at);
    at += token.length;
    longest = Math.max(longest, token.length);
  });
  const header = new DataView(packed.buffer);
  header.setUint32(0, tokens.length, true);
  header.setUint32(4, longest, true);
  return packed;
}
