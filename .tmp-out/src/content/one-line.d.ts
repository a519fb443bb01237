/**
 * `text` as one line of at most `limitChars` UTF-16 units: runs of blanks become one space, what is cut ends in `…`,
 * and no surrogate pair is split.
 */
export declare function oneLine(text: string, limitChars: number): string;
/** The first `limitChars` UTF-16 units of `text`, one fewer where that would split a surrogate pair. */
export declare function cutText(text: string, limitChars: number): string;
