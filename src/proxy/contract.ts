import type { BilledBeside } from '../content/content.ts';
import type { LiveApi, PruneReport } from '../live/contract.ts';
import type { ChangeRequest } from '../live/exchange/contract.ts';
import type { OwnMemory } from './intake/request-memory.ts';

/** Part of the proxy's address, and where its requests go. */
export interface Mount {
  /** Starts with `/` and ends without; the empty text for all paths. */
  readonly path: string;
  /** The base URL as the agent's own setting would name it. Never taken from a request. */
  readonly upstream: URL;
  /** The base URL for a login by ChatGPT, which such requests name in a header. */
  readonly chatGptUpstream?: URL;
}

/** Tokens that the provider says a call used. */
export interface ReportedUsage extends BilledBeside {
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
  /** True if the first answer was a 400, and the request was sent again without what was new in it. `report` is of that one. */
  readonly isResent: boolean;
  readonly usage: ReportedUsage | undefined;
  /** True if a key of the API pays, and no plan. */
  readonly isByKey?: true;
  /** True if the answer called a tool of the agent, false if it ended the turn; absent where it is not known. */
  readonly isToolWait?: boolean;
  /** Present for a ping that the proxy sent itself: how long the provider keeps a prompt. `report` says of which conversation. */
  readonly ownPing?: { readonly lifetimeMs: number };
  /** What pruning did; absent if the request was not looked at. */
  readonly report: PruneReport | undefined;
  /** Time that the request waited here before it was sent. */
  readonly addedMs: number;
  /** From the whole request to the end of its answer. */
  readonly tookMs: number;
}

/** What is done to the requests that go through. */
export interface ProxyRequestOptions {
  /** Absent: every request goes through as it is. */
  readonly change?: ChangeRequest;
  /** For the requests of one user; absent: each takes what it needs. */
  readonly memory?: OwnMemory;
  /** Called when the answer to a request with a known API has ended. */
  readonly onCall?: (call: ProxiedCall) => void;
  /** Called with what went wrong here; the agent's request went on as it was. */
  readonly onTrouble?: (what: string) => void;
}
