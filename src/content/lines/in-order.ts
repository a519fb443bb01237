/** The text after the first match; `undefined` without one. */
export function textAfter(text: string, pattern: RegExp): string | undefined {
  const found = pattern.exec(text);
  return found === null ? undefined : text.slice(found.index + found[0].length);
}

/** True if a text has a match of the first pattern, and one of the second after it. Linear, as `first.*then` is not. */
export function hasInOrder(text: string, first: RegExp, then: RegExp): boolean {
  const rest = textAfter(text, first);
  return rest !== undefined && then.test(rest);
}
