import { messageOf } from '../../errors.ts';

/** What may be done to a request before it is sent at the latest. */
const DEADLINE_MS = 2_000;

/** When nobody waits for the work any more, and who is told what went wrong. */
interface Waiting {
  readonly signal?: AbortSignal | null | undefined;
  readonly onTrouble?: ((what: string) => void) | undefined;
}

/**
 * What the work returns; undefined if it fails, or its request is aborted. After two seconds the work's signal is aborted: it
 * counts what the work returns at once, without waiting for anything else, and undefined if there is nothing.
 */
export async function inTime<T>(
  work: (left: AbortSignal) => Promise<T>,
  { signal, onTrouble }: Waiting,
): Promise<T | undefined> {
  if (signal?.aborted) return undefined;
  const left = new AbortController();
  const late = (what: string): void => onTrouble?.(`pruning took over ${DEADLINE_MS / 1_000} s; ${what}`);
  let stop = (): void => {};
  const stopped = new Promise<undefined>((resolve) => {
    let atOnce: NodeJS.Immediate | undefined;
    const timer = setTimeout(() => {
      atOnce = setImmediate(() => {
        late('the original was sent');
        resolve(undefined);
      });
      left.abort();
    }, DEADLINE_MS);
    const giveUp = (): void => {
      left.abort();
      resolve(undefined);
    };
    signal?.addEventListener('abort', giveUp);
    stop = () => {
      clearTimeout(timer);
      clearImmediate(atOnce);
      signal?.removeEventListener('abort', giveUp);
    };
  });
  try {
    const value = await Promise.race([work(left.signal), stopped]);
    if (value !== undefined && left.signal.aborted && !signal?.aborted) late('nothing new was pruned');
    return value;
  } catch (error) {
    onTrouble?.(`pruning failed (${messageOf(error)}); the original was sent`);
    return undefined;
  } finally {
    stop();
  }
}
