import { deadlineSignal, raced, within } from '../../deadline.ts';
import { messageOf } from '../../errors.ts';
import type { ProviderAnswer } from '../contract.ts';
import type { ChangedRequest, ChangeRequest, OutgoingRequest } from './contract.ts';

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

/** How a request is changed and sent. */
interface Sending<Answer> {
  readonly change: ChangeRequest;
  /** Called right before the request is sent; undefined: it could not be looked at in time. */
  readonly onChanged?: (changed: ChangedRequest | undefined) => void;
  /** Sends the request with this body, or as its agent wrote it. */
  send(changed?: Uint8Array): Promise<Answer>;
  /** Ends an answer that the agent does not get; returns what is known of its error. Never rejects. */
  refusal(answer: Answer): Promise<string>;
  /** Called with what went wrong here; the agent's request is sent as it was. */
  readonly onTrouble?: ((what: string) => void) | undefined;
}

/** What was sent, and its answer. */
export interface AnsweredRequest<Answer> {
  readonly answer: Answer;
  /** What was sent last; absent if the request could not be looked at in time. */
  readonly changed?: ChangedRequest | undefined;
  /** True if the first answer was a 400, and it was sent again without what was new in it. */
  readonly isResent: boolean;
}

/**
 * Sends a request as `change` wants it, if that is known within two seconds, else as it was. A request with new changes that is
 * refused (400) is sent once more without them, and that answer is returned. Throws what `send` throws.
 */
export async function sendChanged<Answer extends { readonly status: number }>(
  request: OutgoingRequest,
  { change, onChanged, send, refusal, onTrouble }: Sending<Answer>,
): Promise<AnsweredRequest<Answer>> {
  const { signal } = request;
  const changed = await inTime(
    async (left) => {
      const made = await change({ ...request, signal: left });
      if (!(made.body instanceof Uint8Array)) throw new TypeError('Expected bytes.');
      return made;
    },
    { signal, onTrouble },
  );
  onChanged?.(changed);
  if (changed === undefined || changed.body === request.body) return { answer: await send(), changed, isResent: false };
  const answer = await send(changed.body);
  // The forms that are not new were accepted with the last request.
  if (answer.status !== 400 || !changed.withoutNew) return { answer, changed, isResent: false };
  const error = await refusal(answer);
  tellAnswer(changed, { status: 400, error }, onTrouble);
  const earlier = changed.withoutNew();
  const again = await send(earlier.body === request.body ? undefined : earlier.body);
  const { status } = again;
  tellAnswer(earlier, { status }, onTrouble);
  if (status < 300) onTrouble?.(`a changed request was refused, and accepted without what was new in it: ${error}`);
  return { answer: again, changed: earlier, isResent: true };
}

/** Tells what the provider answered. What fails there is nothing to the agent. */
export function tellAnswer(
  changed: Pick<ChangedRequest, 'answered'>,
  answer: ProviderAnswer,
  onTrouble: ((what: string) => void) | undefined,
): void {
  try {
    changed.answered(answer);
  } catch (error) {
    onTrouble?.(`an answer could not be noted (${messageOf(error)})`);
  }
}
