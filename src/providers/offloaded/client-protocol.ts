import type { MessagePort } from 'node:worker_threads';
import type { SummaryOutcome, SummaryRequest } from '../../strategies/contract.ts';
import type { AnswerOutcome, AnswerRequest } from '../chat-model.ts';

/** Everything that defines a provider. It contains the key, which is sent only to the client's thread. */
export interface ModelSetup {
  readonly vendor: string;
  readonly model: string;
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly idleMs: number;
}

/** A request to a model, by the kind of its result. */
export type ClientQuestion =
  | { readonly kind: 'summarize'; readonly request: Omit<SummaryRequest, 'signal'> }
  | { readonly kind: 'answer'; readonly request: Omit<AnswerRequest, 'signal' | 'onPart'> };

export type ClientOutcome = SummaryOutcome | AnswerOutcome;

/** Parts of an answer are posted to `progress` while it is written; the request is cancelled if `progress` is closed. */
export type ClientRequest = ClientQuestion & { readonly setup: ModelSetup; readonly progress: MessagePort };
