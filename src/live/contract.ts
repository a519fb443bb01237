import type { IContent } from '../content/content.ts';
import type { ToolVocabulary } from '../content/vocabularies/vocabulary.ts';
import type { DecisionCause } from '../economics/decision.ts';
import type { GivenDensityConfig } from '../strategies/settings/density-config.ts';

/** The APIs whose requests can be pruned. */
export type LiveApi = 'anthropic-messages' | 'openai-responses' | 'openai-chat' | 'gemini-api';

/** A request body: parsed JSON, or its bytes. */
export type Body = object | Uint8Array;

/** One request of an agent. */
export interface LiveRequest<Given extends Body = Body> {
  readonly body: Given;
  /** Lower-case names. They say which conversation it is, and of which kind the request is. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The name of the conversation, where the caller knows it. */
  readonly conversation?: string;
  /** The model where the body does not name it (Gemini). */
  readonly model?: string;
}

/** Why a result is sent in another form. */
export type ProjectionKind = 'pruned' | 'repeat' | 'healed';

/** A result that is sent in another form than the agent sent it. */
export interface ProjectedResult {
  readonly callId: string;
  readonly kind: ProjectionKind;
  /** One sentence. */
  readonly reason: string;
  /** Tokens that the request loses by it, estimated; negative for a healed result. */
  readonly savedTokens: number;
}

/** Why nothing of a request was looked at. */
export type Untouched = 'side-request' | 'not-understood' | 'history-elsewhere' | 'hands-off' | 'failed';

/** What was done to a request. */
export interface PruneReport {
  /** The conversation that the request belongs to; absent if it was not looked at. */
  readonly conversation?: string;
  /** The model of the request; absent if it was not looked at. */
  readonly model?: string;
  readonly untouched?: Untouched;
  /** What is sent in another form since this request. */
  readonly changed: readonly ProjectedResult[];
  /** How many results are sent in another form, and the tokens that this saves now. */
  readonly projected: number;
  readonly savedTokens: number;
  /** The decision about the edits that waited; absent if none did. */
  readonly decision?: { readonly cause: DecisionCause; readonly reason: string; readonly expectedNet: number };
  /** True if a part of the prompt that was sent before is sent in another form. */
  readonly isEpoch: boolean;
  /** Files that are not pruned any more, because their text was needed again. */
  readonly pinned: readonly string[];
}

export interface Pruned<Given extends Body = Body> {
  /** The body to send: the very same object or bytes if nothing changes. */
  readonly body: Given;
  readonly report: PruneReport;
}

/** Keeps the decisions of conversations, so that a restart repeats them. */
export interface PrunerStore {
  /** The lines of a conversation, in order. */
  load(conversation: string): Promise<readonly string[]>;
  append(conversation: string, lines: readonly string[]): Promise<void>;
}

export interface PrunerOptions {
  readonly api: LiveApi;
  /** The agent's tools; default: known by name and shape. */
  readonly vocabulary?: ToolVocabulary;
  /** Where relative paths of tools start; absolute. */
  readonly workspaceRoot?: string;
  /** Default: the `recommended` profile. */
  readonly config?: GivenDensityConfig;
  /** Default: decisions live as long as the pruner. */
  readonly store?: PrunerStore;
  /** Keeps the removed text; returns when it is safe. Markers then name its hash. A result whose text is not kept is not removed. */
  readonly archive?: (entries: readonly IContent['blocks'][number][]) => Promise<void>;
  /** Milliseconds; only differences count. */
  readonly now?: () => number;
  /** The name of the agent in the table of session lengths, such as `claude-code`. */
  readonly agent?: string;
}

/** The provider's answer to a request that was sent. */
export interface ProviderAnswer {
  readonly status: number;
  /** The text of an error. */
  readonly error?: string;
  /** True if thinking was dropped (`input_transformations`); default: whether the error says that thinking is bound. */
  readonly isBound?: boolean;
}

/** A conversation seen through its requests, for any number of conversations. */
export interface Pruner {
  /** The body to send. Never throws: on any doubt the body comes back as it was. Cost: what is new since the last request. */
  prune<Given extends Body>(request: LiveRequest<Given>): Promise<Pruned<Given>>;
  /** The same for a plain list of messages, items or contents. */
  pruneMessages<Message>(
    messages: readonly Message[],
    facts: { readonly model: string; readonly conversation?: string },
  ): Promise<Message[]>;
  /**
   * Tells what the provider answered. A refused request whose body was changed ends the pruning of its conversation;
   * after an answer that says that thinking is bound, nothing before thinking changes for that model. Never rejects.
   */
  observe(report: PruneReport, answer: ProviderAnswer): Promise<void>;
}
