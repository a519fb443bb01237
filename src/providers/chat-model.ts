import type { IContent } from '../content/content.ts';
import type { FailedSummary } from '../strategies/contract.ts';

/** The description of a tool for a model. */
export interface ToolSpecification {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** A part of an answer while it is written. `call`: the model starts to write a call of this tool. */
export type AnswerPart =
  | { readonly kind: 'text' | 'thinking'; readonly text: string }
  | { readonly kind: 'call'; readonly toolName: string };

/** A request for an answer of a model. */
export interface AnswerRequest {
  /** The system prompt. */
  readonly instructions: string;
  /** The history, paired and curated; the newest human or tool entry is the last one. */
  readonly history: readonly IContent[];
  readonly tools: readonly ToolSpecification[];
  readonly onPart: (part: AnswerPart) => void;
  readonly signal?: AbortSignal;
}

/** An answer of a model: one ai entry with its blocks in order, including calls. */
interface WrittenAnswer {
  readonly kind: 'answer';
  readonly content: IContent;
  /** True if the answer was cut at the model's longest answer. */
  readonly isTruncated: boolean;
}

/** An answer, or why there is none; with the same failures as a summary. */
export type AnswerOutcome = WrittenAnswer | FailedSummary;

/** A model for a conversation. */
export interface ChatModel {
  /** The vendor's name. */
  readonly name: string;
  readonly model: string;
  /** Every outcome of the vendor is a value. @throws the signal's reason, at once, if it is aborted; nothing else. */
  answer(request: AnswerRequest): Promise<AnswerOutcome>;
}
