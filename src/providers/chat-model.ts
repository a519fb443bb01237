import type { IContent } from '../content/content.ts';
import type { FailedSummary } from '../strategies/contract.ts';

/** A tool as a model is told of it. */
export interface ToolSpecification {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** A piece of an answer while it comes. `call`: the model begins to write a call of this tool. */
export type AnswerPart =
  | { readonly kind: 'text' | 'thinking'; readonly text: string }
  | { readonly kind: 'call'; readonly toolName: string };

/** What a model is asked to go on with. */
export interface AnswerRequest {
  /** The system prompt. */
  readonly instructions: string;
  /** What was said so far, paired and curated, the newest human or tool entry last. */
  readonly history: readonly IContent[];
  readonly tools: readonly ToolSpecification[];
  readonly onPart: (part: AnswerPart) => void;
  readonly signal?: AbortSignal;
}

/** What a model answered: one ai entry with its blocks in order, the calls among them. */
export interface WrittenAnswer {
  readonly kind: 'answer';
  readonly content: IContent;
  /** Whether it stopped at the longest answer that the model gives, instead of an end of its own. */
  readonly isTruncated: boolean;
}

/** An answer, or why there is none; the failures are those of a summary. */
export type AnswerOutcome = WrittenAnswer | FailedSummary;

/** A model that answers in a conversation. */
export interface ChatModel {
  /** The vendor's name. */
  readonly name: string;
  readonly model: string;
  /** Whatever the vendor does is a value. @throws the signal's reason alone, promptly, when it is aborted. */
  answer(request: AnswerRequest): Promise<AnswerOutcome>;
}
