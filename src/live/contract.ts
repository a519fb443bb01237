import type { IContent } from '../content/content.ts';
import type { OwnTools } from '../content/tools/own-tools.ts';
import type { ToolVocabulary } from '../content/vocabularies/vocabulary.ts';
import type { ChangeKind } from '../economics/cache-miss.ts';
import type { Decision } from '../economics/decision.ts';
import type { ApiName } from '../formats/api-path.ts';
import type { CopiedMarker } from '../guard/contract.ts';
import type { GivenDensityConfig } from '../strategies/settings/density-config.ts';

/** The APIs whose requests can be pruned. */
export type LiveApi = ApiName;

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
  /** True for a request that only counts tokens: it gets the texts that are frozen, and decides nothing. */
  readonly isCount?: boolean;
  /** True for a request for a summary, where its path says so: it has the texts that are frozen, and decides nothing. */
  readonly isSummary?: boolean;
  /**
   * Aborted once the caller does not wait any more: the body comes back at once with the texts that the last request had,
   * and nothing new of this request is repeated later.
   */
  readonly signal?: AbortSignal;
}

/**
 * Why a result is sent in another form: it is shorter (`pruned`), it has the text of an earlier read in place of an empty answer (`healed`),
 * or it says that its call wrote a marker (`told`). Only earlier versions have a `repeat`.
 */
export type ProjectionKind = 'pruned' | 'repeat' | 'healed' | 'told';

/** A result that is sent in another form than the agent sent it. */
export interface ProjectedResult {
  readonly callId: string;
  readonly kind: ProjectionKind;
  /** The call that it answers: the tool with its file or command. */
  readonly what: string;
  /** One sentence. */
  readonly reason: string;
  /** The start of its name in the archive; absent where nothing is removed or nothing is archived. */
  readonly hash?: string;
  /** Tokens that the request loses by it, estimated; negative for a healed result. */
  readonly savedTokens: number;
}

/** Why nothing of a request was looked at. */
export type Untouched = 'side-request' | 'not-understood' | 'history-elsewhere' | 'failed';

/** A kind of results, or of parts of them, that is always sent as it is: a picture, or what a tool of the provider says. */
export interface WholeKind {
  /** The type of the item or part on the wire, or of its medium. */
  readonly kind: string;
  /** Estimated. */
  readonly tokens: number;
}

/** What of a request differs from the last one of its conversation, so that its provider cannot read what is after it from the cache. */
export interface PromptChange {
  readonly kind: ChangeKind;
  /** In a few words, without any text of the conversation: `mcp__github changed its description`. */
  readonly what: string;
  /** The place, where it differs from time to time: `23 messages back`. */
  readonly where?: string;
}

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
  /** Tokens of the request with these texts in it, estimated in the same way; 0 if it was not looked at. */
  readonly sentTokens: number;
  /** How many of them stand before the first text that is sent in another form; all where none is. */
  readonly unchangedTokens: number;
  /** The decision about the edits that waited; absent if none did. */
  readonly decision?: Omit<Decision, 'apply'>;
  /** True if a part of the prompt that was sent before is sent in another form. */
  readonly isEpoch: boolean;
  /** True if the request is the last one with the smallest answer (a ping of the agent): its prompt cache is kept, and it is no call. */
  readonly isPing?: true;
  /** What the agent changed, in the order of the prompt; absent where nothing is different, or the last request is not known. */
  readonly changes?: readonly PromptChange[];
  /** True if the request is not the last one with more at its end: a rewind, a compaction, a fork. */
  readonly isBranch?: true;
  /** True if nothing new of the conversation is changed, because it or its folder is switched off. */
  readonly isOff?: true;
  /** True if nothing new is changed and all of the time that this may take was over: the results are too long. */
  readonly isLate?: true;
  /** Files whose removed text was needed again: an edit of them failed, or they were read again. */
  readonly neededAgain: readonly string[];
  /** Names of unknown tools that the conversation called. Text that they make stale is not pruned. */
  readonly unknownTools: readonly string[];
  /** What tools gave the model and nothing can shorten, the most first. */
  readonly sentWhole: readonly WholeKind[];
}

export interface Pruned<Given extends Body = Body> {
  /** The body to send: the very same object or bytes if nothing changes. */
  readonly body: Given;
  readonly report: PruneReport;
  /**
   * What to send once more after a 400: what is new as the agent wrote it, and every earlier form as it was accepted.
   * Absent where that is the body itself.
   */
  readonly withoutNew?: () => Pruned<Given>;
}

/** Lines of a conversation, and the version of it that they belong to. */
export interface StoredLines {
  readonly lines: readonly string[];
  /** Means nothing to others than the store that gave it. */
  readonly version: number;
  /** True if these are all lines: what was read before does not hold any more. */
  readonly isWhole: boolean;
  /** The clock of the store in milliseconds, where its users have different ones, or clocks that start with them. */
  readonly nowMs?: number;
  /** When lines were appended last, by that clock: a conversation that was written down was sent last before that. */
  readonly appendedAtMs?: number;
}

/**
 * Keeps the decisions of conversations, so that a restart repeats them. Two pruners that see the same conversation never write
 * two different decisions: the one that appends later reads the other's first.
 */
export interface PrunerStore {
  /** True if other pruners use it at the same time: it is then read before each request, and each request is written down. */
  readonly isShared?: boolean;
  /**
   * The version of a conversation, without its lines: the cost of a look. It is asked for before each request, and what others
   * appended is read then. Absent: that is noticed by the next append.
   */
  version?(conversation: string): Promise<number>;
  /** The lines of a conversation after that version, in order; without one, all. */
  load(conversation: string, after?: number): Promise<StoredLines>;
  /**
   * Appends lines if the conversation still has the version `expected`, or in any case without one. Returns the new version;
   * `undefined` if others appended first: nothing is written then.
   */
  append(conversation: string, lines: readonly string[], expected?: number): Promise<number | undefined>;
}

export interface PrunerOptions {
  readonly api: LiveApi;
  /** The agent's tools; default: known by name and shape. */
  readonly vocabulary?: ToolVocabulary;
  /** One's own tools, such as `{ peek: { role: 'read', pathKeys: ['path'] } }`; they decide before the vocabulary's. */
  readonly tools?: OwnTools;
  /** Where relative paths of tools start; absolute. */
  readonly workspaceRoot?: string;
  /** Default: the `recommended` profile. */
  readonly config?: GivenDensityConfig;
  /** Default: decisions live as long as the pruner. */
  readonly store?: PrunerStore;
  /** Keeps removed results, each after its call; returns when they are safe. Markers then name the hash of a result. One that is not kept is not removed. */
  readonly archive?: (entries: readonly IContent['blocks'][number][]) => Promise<void>;
  /** After so many milliseconds nothing more is decided about a request: what is frozen is sent. Default: 1,500. */
  readonly mostMs?: number;
  /** Milliseconds; only differences count. */
  readonly now?: () => number;
  /** The name of the agent in the table of session lengths, such as `claude-code`. */
  readonly agent?: string;
  /**
   * True: cache marks and keys that are missing are added, and tools that come in another order are sent in their first one. Only
   * for requests to the vendor itself: others may refuse them. Default: false.
   */
  readonly cacheMarks?: boolean;
  /**
   * How long marks keep a prompt of Claude: as the agent says; an hour; or `auto`, what is expected to cost less. It changes only where
   * the whole prompt is written anyway. For requests to the vendor itself. Default: `agent`.
   */
  readonly cacheLifetime?: 'agent' | 'auto' | '1h';
  /** Called with what was done to each request. A request whose report fails is sent as it was. */
  readonly onReport?: (report: PruneReport) => void;
}

/** The provider's answer to a request that was sent. */
export interface ProviderAnswer {
  readonly status: number;
  /** The text of an error. */
  readonly error?: string;
  /** Tokens of a whole answer, as the provider counts them: they can be more than its text, which then holds for the next request. */
  readonly answerTokens?: number;
  /** Tokens of the prompt that the provider read from its cache. They can show that a prefix was there which counted as lost. */
  readonly cachedTokens?: number;
  /** True if thinking was dropped (`input_transformations`); default: whether the error says that thinking is bound. */
  readonly isBound?: boolean;
}

/** The list to send for a plain list of messages, items or contents: elements that do not change are the same objects. Never throws. */
export type PruneMessages = <Message>(
  messages: readonly Message[],
  facts?: { readonly model?: string; readonly conversation?: string },
) => Promise<Message[]>;

/** A conversation seen through its requests, for any number of conversations. */
export interface Pruner {
  /** The body to send. Never throws: on any doubt the body comes back as it was. Cost: what is new since the last request. */
  prune<Given extends Body>(request: LiveRequest<Given>): Promise<Pruned<Given>>;
  pruneMessages: PruneMessages;
  /**
   * The marker of a conversation that a call of it is about to write into a file; `undefined` if it writes none. `texts`: of the files that
   * the call changes, which may have such lines of their own. Cost: the call, and what was sent where the call has something like a marker.
   */
  copiedMarker(
    call: { readonly name: string; readonly parameters: unknown },
    texts?: Iterable<string>,
  ): CopiedMarker | undefined;
  /**
   * Tells what the provider answered. If it accepts what `withoutNew` gave, what was new is taken back; call it then before the
   * agent gets the answer. After an answer that says that thinking is bound, nothing before thinking changes for that model.
   * Never rejects.
   */
  observe(report: PruneReport, answer: ProviderAnswer): Promise<void>;
}
