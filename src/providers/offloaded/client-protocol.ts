import type { MessagePort } from 'node:worker_threads';
import type { SummaryOutcome, SummaryRequest } from '../../strategies/contract.ts';
import type { AnswerOutcome, AnswerRequest } from '../chat-model.ts';

/** Everything that makes a provider of a vendor's model. Holds the key: it is sent to the client's thread and nowhere else. */
export interface ModelSetup {
  readonly vendor: string;
  readonly model: string;
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly idleMs: number;
}

/** What a model is asked, by the kind of result. */
export type ClientQuestion =
  | { readonly kind: 'summarize'; readonly request: Omit<SummaryRequest, 'signal'> }
  | { readonly kind: 'answer'; readonly request: Omit<AnswerRequest, 'signal' | 'onPart'> };

export type ClientOutcome = SummaryOutcome | AnswerOutcome;

/** Parts of an answer are posted to `progress` while it is written; nobody waits for the answer once that is closed. */
export type ClientRequest = ClientQuestion & { readonly setup: ModelSetup; readonly progress: MessagePort };
