import { messageOf } from '../../errors.ts';

/** What may be done to a request before it is sent at the latest; then the original is sent. */
const DEADLINE_MS = 2_000;

/** When nobody waits for the work any more, and who is told why the original is sent. */
export interface Waiting {
  readonly signal?: AbortSignal | null | undefined;
  readonly onTrouble?: ((what: string) => void) | undefined;
}

/**
 * What the work returns; undefined if it fails, takes over two seconds, or its request is aborted. The work gets a signal that
 * is aborted when nobody waits for it any more.
 */
export async function inTime<T>(
  work: (left: AbortSignal) => Promise<T>,
  { signal, onTrouble }: Waiting,
): Promise<T | undefined> {
  if (signal?.aborted) return undefined;
  const left = new AbortController();
  let stop = (): void => {};
  const stopped = new Promise<undefined>((resolve) => {
    const giveUp = (): void => {
      left.abort();
      resolve(undefined);
    };
    const timer = setTimeout(() => {
      onTrouble?.(`pruning took over ${DEADLINE_MS / 1_000} s; the original was sent`);
      giveUp();
    }, DEADLINE_MS);
    signal?.addEventListener('abort', giveUp);
    stop = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
    };
  });
  try {
    return await Promise.race([work(left.signal), stopped]);
  } catch (error) {
    onTrouble?.(`pruning failed (${messageOf(error)}); the original was sent`);
    return undefined;
  } finally {
    stop();
  }
}
