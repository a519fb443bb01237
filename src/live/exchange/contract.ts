import type { PathFacts } from '../../formats/api-path.ts';
import type { ProviderAnswer, PruneReport } from '../contract.ts';

/** A request on its way to a provider, whose body can be pruned. */
export interface OutgoingRequest extends PathFacts {
  readonly upstream: string;
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
  /**
   * Called before a ping that keeps the cache of this request; false: none may be sent. Absent for requests that are no calls of a
   * conversation: those that count, and those beside one.
   */
  readonly keepWarm?: (() => Promise<boolean>) | undefined;
  /** What to send once more after a 400; absent if nothing is new in the body. Its `answered` is called before the agent gets the answer. */
  readonly withoutNew?: () => ChangedRequest;
}

/** Looks at each request before it is sent. What it throws, and a deadline, send the original. */
export type ChangeRequest = (request: OutgoingRequest) => Promise<ChangedRequest>;
