/** The text of a failed result without text. */
const NO_WORDS = 'Error';

/**
 * The two fields of a failed result that is one text in a file (docs/readings.md, row 20): `error` is its first line that
 * is not blank, `result` the rest. It splits a text of `joinError` into the same two.
 */
export function splitError(text: string): { error: string; result: string } {
  const words = text.trimStart();
  if (words === '') return { error: NO_WORDS, result: '' };
  const end = words.indexOf('\n');
  return end === -1 ? { error: words, result: '' } : { error: words.slice(0, end), result: words.slice(end + 1) };
}

/** An error and a result as one text. */
export function joinError(error: string, result: string): string {
  return result === '' ? error || NO_WORDS : `${error || NO_WORDS}\n${result}`;
}
