import type { LiveApi, ProviderAnswer, PruneReport } from '../contract.ts';

/** A request on its way to a provider, whose body can be pruned. */
export interface OutgoingRequest {
  readonly api: LiveApi;
  readonly upstream: string;
  /** True for a request that only counts. */
  readonly isCount: boolean;
  /** True for a request for a summary, by its path. */
  readonly isSummary?: boolean;
  /** Where the path names it (Gemini). */
  readonly model?: string;
  /** True if the request that can be pruned is a part of the body (Code Assist). */
  readonly isInner?: boolean;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Decoded. */
  readonly body: Uint8Array;
  /** Aborted when the original is sent because this takes too long, and when the answer is not needed any more. */
  readonly signal?: AbortSignal;
}

/** What is sent instead. */
export interface ChangedRequest {
  /** The same object if nothing changes. */
  readonly body: Uint8Array;
  /** What was done to it, for the log. */
  readonly report?: PruneReport;
  /** Called with the provider's answer to this body when it has ended. */
  readonly answered: (answer: ProviderAnswer) => void;
  /** What to send once more after a 400; absent if nothing is new in the body. Its `answered` is called before the agent gets the answer. */
  readonly withoutNew?: () => ChangedRequest;
}

/** Looks at each request before it is sent. What it throws, and a deadline, send the original. */
export type ChangeRequest = (request: OutgoingRequest) => Promise<ChangedRequest>;
