/**
 * `text` as one line of at most `limitChars` UTF-16 units: a run of blanks becomes one space, a line that was cut ends
 * in `…`, and no surrogate pair is split.
 */
export function oneLine(text: string, limitChars: number): string {
  const line = text
    .slice(0, limitChars * 4)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length <= limitChars && text.length <= limitChars * 4 ? line : `${cutText(line, limitChars - 1)}…`;
}

/** The first `limitChars` UTF-16 units of `text`; one fewer if that would split a surrogate pair. */
export function cutText(text: string, limitChars: number): string {
  if (text.length <= limitChars) return text;
  const last = text.charCodeAt(limitChars - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? limitChars - 1 : limitChars);
}
