import type { Body, Pruned } from '../contract.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { type RequestList, written } from '../request/request-list.ts';
import { NOTHING_DECIDED, reportOf, untouched } from './prune-report.ts';
import type { TurnTools } from './turn-tools.ts';

interface SentFacts {
  readonly conversation: Conversation | undefined;
  readonly tools: Pick<TurnTools, 'labels' | 'archive' | 'isOff'>;
}

/**
 * A request about which nothing can be decided in time: what it shares with the last request is sent in the same form, so that
 * the prefix is the same. It is sent as it was if its conversation is not known here.
 */
export function asSent<Given extends Body>(
  body: Given,
  list: RequestList,
  { conversation, tools }: SentFacts,
): Pruned<Given> {
  const found = conversation?.closest(list);
  if (conversation === undefined || found === undefined) return untouched(body, 'failed');
  const { branch, shared } = found;
  const replacements = branch.asSent.filter(({ element }) => element < shared);
  const report = reportOf(NOTHING_DECIDED, { branch, conversation, model: branch.model ?? '', tools });
  return { body: written(body, list, replacements), report };
}

/** What the work returns; if the signal is aborted before, what `instead` returns then. Throws what they throw. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined, instead: () => T): Promise<T> {
  if (signal === undefined || signal.aborted) return work;
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      try {
        resolve(instead());
      } catch (error) {
        reject(error);
      }
    };
    signal.addEventListener('abort', stop, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
