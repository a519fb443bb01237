/** Longer texts get memory of their own, which goes with them. */
const KEPT_UNITS = 1 << 20;

let units = new Uint16Array(1 << 14);
let bytes = Buffer.from(units.buffer);

/**
 * The UTF-16 units of a text and a 0 behind the last, in memory that the next call takes again: a loop over them takes
 * a third of the time that one over `charCodeAt` takes.
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
  if (larger.length <= KEPT_UNITS) [units, bytes] = [larger, largerBytes];
  return larger;
}
