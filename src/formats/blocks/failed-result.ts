/** Stands for the text of a failed result that has none. */
const NO_WORDS = 'Error';

/**
 * A failed result that is one text in a file is two channels here (docs/readings.md, row 20): `error` is its first line
 * with words, `result` what follows. What `joinError` makes of them splits into the same two.
 */
export function splitError(text: string): { error: string; result: string } {
  const words = text.trimStart();
  if (words === '') return { error: NO_WORDS, result: '' };
  const end = words.indexOf('\n');
  return end === -1 ? { error: words, result: '' } : { error: words.slice(0, end), result: words.slice(end + 1) };
}

/** The one text that an error and a result make. */
export function joinError(error: string, result: string): string {
  return result === '' ? error || NO_WORDS : `${error || NO_WORDS}\n${result}`;
}
