import type { LiveApi, ProviderAnswer, PruneReport } from '../live/contract.ts';

/** Part of the proxy's address, and where its requests go. */
export interface Mount {
  /** Starts with `/` and ends without; the empty text for all paths. */
  readonly path: string;
  /** The base URL as the agent's own setting would name it. Never taken from a request. */
  readonly upstream: URL;
  /** The base URL for a login by ChatGPT, which such requests name in a header. */
  readonly chatGptUpstream?: URL;
}

/** A request whose body can be pruned. */
export interface ProxiedRequest {
  readonly api: LiveApi;
  readonly upstream: string;
  /** True for a request that only counts. */
  readonly isCount: boolean;
  /** Where the path names it (Gemini). */
  readonly model?: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Decoded. */
  readonly body: Uint8Array;
}

/** What is sent instead. */
export interface ChangedRequest {
  /** The same object if nothing changes. */
  readonly body: Uint8Array;
  /** What was done to it, for the log. */
  readonly report?: PruneReport;
  /** Called with the provider's answer to this body when it has ended. */
  readonly answered: (answer: ProviderAnswer) => void;
}

/** Looks at each request before it is sent. What it throws, and a deadline, send the original. */
export type ChangeRequest = (request: ProxiedRequest) => Promise<ChangedRequest>;

/** Tokens that the provider says a call used. */
export interface ReportedUsage {
  /** The whole prompt, cached and written tokens included. */
  readonly promptTokens: number;
  readonly cachedTokens: number;
  readonly writtenTokens: number;
  readonly writtenHourTokens: number;
  readonly outputTokens: number;
}

/** One request that went through, when its answer has ended. */
export interface ProxiedCall {
  readonly api: LiveApi;
  readonly isCount: boolean;
  readonly model: string | undefined;
  readonly status: number;
  /** True if the first answer was a 400 and the original was sent after it. */
  readonly isResent: boolean;
  readonly usage: ReportedUsage | undefined;
  /** What pruning did; absent if the request was not looked at. */
  readonly report: PruneReport | undefined;
  /** Time that the request waited here before it was sent. */
  readonly addedMs: number;
}

/** What is done to the requests that go through. */
export interface ProxyRequestOptions {
  /** Absent: every request goes through as it is. */
  readonly change?: ChangeRequest;
  /** Called when the answer to a request with a known API has ended. */
  readonly onCall?: (call: ProxiedCall) => void;
  /** Called with what went wrong here; the agent's request went on as it was. */
  readonly onTrouble?: (what: string) => void;
}
