/**
 * JSON that is nested deeper is not read: what walks a value calls itself for each level, as `JSON.stringify` does, and has room for
 * some 3,000. Others read less: `serde_json` 128 levels, Python's `json` about 1,000.
 */
const MOST_LEVELS = 1_000;
/** What a reader says of it. */
export const TOO_DEEP = `nested more than ${MOST_LEVELS} levels deep`;

const QUOTE = 34;
const BACKSLASH = 92;
const OPEN_LIST = 91;
const CLOSE_LIST = 93;
const OPEN = 123;
const CLOSE = 125;

/** True if a JSON text is nested too deep to be read. Linear. */
export function isDeepJson(text: string): boolean {
  if (text.length <= MOST_LEVELS) return false;
  let levels = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) at = endOfString(text, at);
    else if (unit === OPEN || unit === OPEN_LIST) {
      levels++;
      if (levels > MOST_LEVELS) return true;
    } else if (unit === CLOSE || unit === CLOSE_LIST) levels--;
  }
  return false;
}

/** Where the string ends that starts here; the end of the text if it is cut. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === BACKSLASH) before--;
    if ((end - before) % 2 === 1) return end;
  }
  return text.length;
}
