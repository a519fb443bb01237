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

/** What pings that keep the cache of a request must know of its conversation. */
export interface KeepWarm {
  /** Called before a ping is sent: notes that the cache is read again. False: none may be sent. */
  readonly note: () => Promise<boolean>;
  /** What edits would save if the cache expired before the next request, in US dollars. */
  readonly coldGain: () => Promise<number>;
}

/** What is sent instead. */
export interface ChangedRequest {
  /** The same object if nothing changes. */
  readonly body: Uint8Array;
  /** What was done to it, for the log. */
  readonly report?: PruneReport;
  /** Called with the provider's answer to this body when it has ended. */
  readonly answered: (answer: ProviderAnswer) => void;
  /** Absent for requests that are no calls of a conversation: those that count, and those beside one. */
  readonly keepWarm?: KeepWarm | undefined;
  /** What to send once more after a 400; absent if nothing is new in the body. Its `answered` is called before the agent gets the answer. */
  readonly withoutNew?: () => ChangedRequest;
}

/** Looks at each request before it is sent. What it throws, and a deadline, send the original. */
export type ChangeRequest = (request: OutgoingRequest) => Promise<ChangedRequest>;
