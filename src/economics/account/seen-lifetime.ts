/** How long a provider kept an unused prefix, as its answers show it. */
export interface SeenLifetime {
  /** The longest pause after which it was still there. */
  readonly foundAfterMs: number;
  /** The shortest longer pause after which all of it was lost; `undefined` if there was none. */
  readonly lostAfterMs?: number | undefined;
}

/** An answer after a pause. */
export interface SeenPause {
  readonly idleMs: number;
  readonly isFound: boolean;
}

export const NOTHING_SEEN: SeenLifetime = { foundAfterMs: 0 };

/** What is known after one more answer. A prefix that is found after a longer pause than one that lost it was lost by chance then. */
export function seenAfter({ foundAfterMs, lostAfterMs }: SeenLifetime, { idleMs, isFound }: SeenPause): SeenLifetime {
  const found = isFound ? Math.max(foundAfterMs, idleMs) : foundAfterMs;
  const isLost = !isFound && idleMs < (lostAfterMs ?? Number.POSITIVE_INFINITY) && idleMs > found;
  const lost = isLost ? idleMs : lostAfterMs;
  return lost === undefined || lost <= found ? { foundAfterMs: found } : { foundAfterMs: found, lostAfterMs: lost };
}
