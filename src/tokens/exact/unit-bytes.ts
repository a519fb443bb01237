/** The most bytes of one UTF-16 unit. */
export const MAX_BYTES_PER_UNIT = 3;

/** Writes `units[start, end)` to `bytes` as UTF-8, lone surrogates as U+FFFD, and returns the number of bytes. */
export function writeUtf8(units: Uint16Array, start: number, end: number, bytes: Uint8Array): number {
  let size = 0;
  for (let at = start; at < end; at++) {
    let unit = units[at]!;
    if (unit < 0x80) {
      bytes[size++] = unit;
      continue;
    }
    if (unit < 0x800) {
      bytes[size++] = 0xc0 | (unit >> 6);
      bytes[size++] = 0x80 | (unit & 63);
      continue;
    }
    if ((unit & 0xf800) === 0xd800) {
      const low = unit < 0xdc00 && at + 1 < end ? units[at + 1]! : 0;
      if ((low & 0xfc00) === 0xdc00) {
        const codePoint = 0x10000 + ((unit & 0x3ff) << 10) + (low & 0x3ff);
        bytes[size++] = 0xf0 | (codePoint >> 18);
        bytes[size++] = 0x80 | ((codePoint >> 12) & 63);
        bytes[size++] = 0x80 | ((codePoint >> 6) & 63);
        bytes[size++] = 0x80 | (codePoint & 63);
        at++;
        continue;
      }
      unit = 0xfffd;
    }
    bytes[size++] = 0xe0 | (unit >> 12);
    bytes[size++] = 0x80 | ((unit >> 6) & 63);
    bytes[size++] = 0x80 | (unit & 63);
  }
  return size;
}
