import { setTimeout as delay } from 'node:timers/promises';
import type { AnswerOutcome, AnswerRequest, ChatModel } from '../providers/chat-model.ts';
import type { ChatListener } from './chat-event.ts';

const MAX_RETRIES = 3;
const FIRST_PAUSE_MS = 1_000;
/** If a vendor asks for a longer pause, the call fails and the user decides. */
const LONGEST_PAUSE_MS = 60_000;

/** Waits. @throws when the signal is aborted. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

export const waitFor: Wait = (ms, signal) => delay(ms, undefined, { signal });

/**
 * Asks the model. Retries transient failures while no part of an answer was shown.
 * @throws the signal's reason when it is aborted.
 */
export async function askModel(
  model: ChatModel,
  request: Omit<AnswerRequest, 'signal'>,
  { signal, emit, wait }: { signal: AbortSignal; emit: ChatListener; wait: Wait },
): Promise<AnswerOutcome> {
  for (let retries = 0; ; retries++) {
    let hasBegun = false;
    const onPart: AnswerRequest['onPart'] = (part) => {
      hasBegun = true;
      request.onPart(part);
    };
    const outcome = await model.answer({ ...request, onPart, signal });
    if (outcome.kind === 'answer' || outcome.failure !== 'transient' || hasBegun || retries >= MAX_RETRIES)
      return outcome;
    const pauseMs = outcome.retryAfterMs ?? FIRST_PAUSE_MS * 2 ** retries;
    if (pauseMs > LONGEST_PAUSE_MS) return outcome;
    emit({ kind: 'notice', text: `${outcome.message}; retrying in ${Math.ceil(pauseMs / 1000)} s` });
    await wait(pauseMs, signal);
    signal.throwIfAborted();
  }
}
