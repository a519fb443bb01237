const TOKENS = /"(?:[^"\\]|\\.)*"|[^"]+/gs;

/** A text of a result, and what a request has in its place. */
export interface Spliced {
  readonly was: string;
  readonly is: string;
}

/**
 * The texts that a request has in place of texts of results; undefined if anything else differs by a byte. Both are
 * compared string by string, what stands between strings as it is.
 */
export function splicedTexts(original: Buffer, sent: Buffer, results: ReadonlySet<string>): Spliced[] | undefined {
  if (original.equals(sent)) return [];
  const [before, after] = [original, sent].map((bytes) => bytes.toString('latin1').match(TOKENS) ?? []);
  if (before!.length !== after!.length) return undefined;
  const texts: Spliced[] = [];
  for (const [at, token] of before!.entries()) {
    const other = after![at]!;
    if (token === other) continue;
    const was = textOf(token);
    const is = textOf(other);
    if (was === undefined || is === undefined || !results.has(was)) return undefined;
    texts.push({ was, is });
  }
  return texts;
}

function textOf(token: string): string | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(token, 'latin1').toString());
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
