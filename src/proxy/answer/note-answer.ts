import type { ProviderAnswer } from '../../live/contract.ts';
import type { ChangedRequest } from '../../live/exchange/contract.ts';
import { tellAnswer } from '../../live/exchange/send-changed.ts';
import type { ProxiedCall, ProxyRequestOptions } from '../contract.ts';
import type { AnswerFacts } from './answer-facts.ts';

/** What an answer with this status tells the pruner. */
const told = (status: number, { usage, error, isBound }: AnswerFacts): ProviderAnswer => ({
  status,
  ...(error !== undefined && { error }),
  ...(isBound && { isBound }),
  ...(usage && error === undefined && { answerTokens: usage.outputTokens, cachedTokens: usage.cachedTokens }),
});

/** A request whose answer has ended, with what was sent for it. */
interface EndedCall extends Pick<ProxiedCall, 'api' | 'isCount' | 'model' | 'status' | 'isByKey'> {
  readonly sent: { readonly changed: Omit<ChangedRequest, 'body'> | undefined; readonly isResent: boolean };
  readonly startedAt: number;
  /** When it was sent first. */
  readonly sentAt: number | undefined;
}

/** Tells the pruner and the log what an answer said. */
export function noteAnswer({ onCall, onTrouble }: ProxyRequestOptions, facts: AnswerFacts, ended: EndedCall): void {
  const { api, isCount, status, isByKey, startedAt, sentAt = startedAt } = ended;
  const { changed, isResent } = ended.sent;
  if (changed && !isResent) tellAnswer(changed, told(status, facts), onTrouble);
  const { usage, model = ended.model, isToolWait = false } = facts;
  const waited = { addedMs: sentAt - startedAt, tookMs: performance.now() - startedAt };
  // An answer of which nothing could be read says nothing of its end.
  const end = { ...(usage && { isToolWait }), ...(isByKey && { isByKey }) };
  onCall?.({ api, isCount, model, status, isResent, usage, ...end, report: changed?.report, ...waited });
}
