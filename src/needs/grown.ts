/** `column` if it has at least `length` elements; otherwise a copy with twice that length, filled up with 0. */
export function grown(column: Int32Array<ArrayBuffer>, length: number): Int32Array<ArrayBuffer> {
  if (column.length >= length) return column;
  const larger = new Int32Array(2 * length);
  larger.set(column);
  return larger;
}
