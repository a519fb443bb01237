import type { SummaryOutcome, SummaryRequest } from '../strategies/contract.ts';

/** Everything that makes a provider of a vendor's model. Holds the key: it goes to the client's thread and nowhere else. */
export interface ModelSetup {
  readonly vendor: string;
  readonly model: string;
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly idleMs: number;
}

export interface ClientCall {
  readonly kind: 'call';
  readonly id: number;
  readonly setup: ModelSetup;
  readonly request: Omit<SummaryRequest, 'signal'>;
}

/** Nobody waits for the answer to call `id` any more. */
export interface ClientAbort {
  readonly kind: 'abort';
  readonly id: number;
}

export type ClientRequest = ClientCall | ClientAbort;

/** Without an outcome: the thread could not ask. */
export interface ClientReply {
  readonly id: number;
  readonly outcome?: SummaryOutcome;
}
