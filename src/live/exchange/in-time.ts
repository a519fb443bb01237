import { deadlineSignal, raced, within } from '../../deadline.ts';
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
  const late = (what: string): void => onTrouble?.(`pruning took over ${DEADLINE_MS / 1_000} s; ${what}`);
  const left = deadlineSignal(DEADLINE_MS, { signals: [signal], message: 'Pruning takes too long.' });
  try {
    const working = raced(work(left.signal), signal);
    const value = await within(DEADLINE_MS, working, () => void late('the original was sent'));
    if (value !== undefined && left.expired.aborted) late('nothing new was pruned');
    return value;
  } catch (error) {
    if (!signal?.aborted) onTrouble?.(`pruning failed (${messageOf(error)}); the original was sent`);
    return undefined;
  } finally {
    left.clear();
  }
}
