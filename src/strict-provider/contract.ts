import type { ApiName } from '../formats/api-path.ts';
import type { MarkLifetime } from '../lab/lint/rules/cache-marks.ts';
import type { FamilyName } from '../tokens/index.ts';

/** The words of the model for one answer. The provider signs the thinking and writes all of it in the form of the API. */
export interface Said {
  readonly thinking?: string;
  readonly text?: string;
  /** `namespace`: of a tool of an MCP server in the Responses API. */
  readonly calls?: readonly {
    readonly id?: string;
    readonly name: string;
    readonly namespace?: string;
    readonly input: unknown;
  }[];
}

/** One request. `body` is parsed JSON; its objects are read once, so do not change an object that was sent. */
export interface ProviderRequest {
  readonly api: ApiName;
  readonly body: unknown;
  /** The model where the body does not name it (Gemini). */
  readonly model?: string;
  /** The values of `anthropic-beta`. */
  readonly betas?: readonly string[];
  /** Who pays: caches and thinking belong to one account. Default: an account of today. */
  readonly account?: string;
  /** What the model answers; default: the text `Done.` */
  readonly says?: Said;
  /** True: only count the tokens, with all checks of the API. */
  readonly isCount?: boolean;
}

/** The tokens of one request, each counted in one place. */
export interface MeteredTokens {
  /** Billed at the input price. */
  readonly uncached: number;
  readonly read: number;
  /** Written to the cache for the usual lifetime, and for an hour. */
  readonly written: number;
  readonly writtenForAnHour: number;
  readonly output: number;
}

/** Thinking that the provider ignored, by its place in the request. */
export interface DroppedThinking {
  readonly place: string;
  readonly reason: 'prefix_binding_mismatch' | 'model_binding_mismatch';
}

export interface Accepted {
  readonly status: 200;
  /** The body of the answer, as the API writes it. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The same answer as server-sent events. */
  readonly events: readonly ServerEvent[];
  /** What a client appends to its list of messages, items or contents. */
  readonly answer: readonly unknown[];
  readonly tokens: MeteredTokens;
  /** The price in US dollars; `undefined` if the provider has no prices for the model. */
  readonly dollars: number | undefined;
  readonly dropped: readonly DroppedThinking[];
}

export interface Refused {
  readonly status: 400 | 404 | 429 | 529;
  readonly body: Readonly<Record<string, unknown>>;
  /** The vendor's words. */
  readonly message: string;
}

export interface ServerEvent {
  readonly event?: string;
  readonly data: unknown;
}

/** A part of a prompt in the order in which the model reads it. */
export interface PromptPart {
  /** Equal for parts with equal meaning: formatting, the order of keys and cache marks do not count. */
  readonly key: string;
  readonly tokens: number;
  readonly mark?: MarkLifetime | undefined;
}

/** A request that fulfils the rules of its API. */
export interface Prompt {
  readonly parts: readonly PromptPart[];
  readonly dropped: readonly DroppedThinking[];
  /** True if its last message has a result; absent where no API says it. */
  readonly followsTool?: boolean;
  /** Writes the answer and binds its thinking to this prompt. */
  answer(said: Said): readonly unknown[];
}

/** What an API needs to know of the provider. */
export interface ApiContext {
  readonly model: string;
  readonly family: FamilyName;
  readonly account: string;
  readonly accountCreatedAt: number;
  readonly betas: readonly string[];
  /** True for a request that generates nothing. */
  readonly isCount: boolean;
}
