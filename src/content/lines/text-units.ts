/** The shared memory never grows beyond this; a longer text gets memory of its own. */
const KEPT_UNITS = 1 << 20;

let units = new Uint16Array(1 << 14);
let bytes = Buffer.from(units.buffer);

/**
 * The UTF-16 units of a text, then a 0. The next call reuses this memory. A loop over the units takes a third of the
 * time of one over `charCodeAt`.
 */
export function textUnits(text: string): Uint16Array {
  if (text.length < units.length) {
    bytes.write(text, 'utf16le');
    units[text.length] = 0;
    return units;
  }
  const larger = new Uint16Array(2 * text.length);
  const largerBytes = Buffer.from(larger.buffer);
  largerBytes.write(text, 'utf16le');
  if (larger.length <= KEPT_UNITS) {
    units = larger;
    bytes = largerBytes;
  }
  return larger;
}
