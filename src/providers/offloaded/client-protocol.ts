import type { SummaryOutcome, SummaryRequest } from '../../strategies/contract.ts';
import type { AnswerOutcome, AnswerPart, AnswerRequest } from '../chat-model.ts';

/** Everything that makes a provider of a vendor's model. Holds the key: it goes to the client's thread and nowhere else. */
export interface ModelSetup {
  readonly vendor: string;
  readonly model: string;
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly idleMs: number;
}

/** What a model is asked, by what it is asked for. */
export type ClientQuestion =
  | { readonly kind: 'summarize'; readonly request: Omit<SummaryRequest, 'signal'> }
  | { readonly kind: 'answer'; readonly request: Omit<AnswerRequest, 'signal' | 'onPart'> };

export type ClientCall = ClientQuestion & { readonly id: number; readonly setup: ModelSetup };

/** Nobody waits for the answer to call `id` any more. */
export interface ClientAbort {
  readonly kind: 'abort';
  readonly id: number;
}

export type ClientRequest = ClientCall | ClientAbort;

/** A part of an answer that is being written; the last reply to a call is one without. */
export interface ClientPart {
  readonly id: number;
  readonly part: AnswerPart;
}

/** Without an outcome: the thread could not ask. */
export interface ClientEnd {
  readonly id: number;
  readonly outcome?: SummaryOutcome | AnswerOutcome;
}

export type ClientReply = ClientPart | ClientEnd;
