import type { ToolCallBlock, ToolResponseBlock } from '../content/content.ts';
import type { GateReport } from '../gate/report.ts';
import type { AnswerPart } from '../providers/chat-model.ts';
import type { ApprovalKind, CallPreview } from './tools/contract.ts';

/** What happens in a conversation, in order. */
export type ChatEvent =
  | { readonly kind: 'part'; readonly part: AnswerPart }
  /** The answer is complete; all its parts were sent before. */
  | { readonly kind: 'answered'; readonly text: string }
  | { readonly kind: 'call'; readonly call: ToolCallBlock }
  | {
      readonly kind: 'result';
      readonly call: ToolCallBlock;
      readonly response: ToolResponseBlock;
      readonly ending: CallEnding;
      /** What an edit changed, as the lines of a patch; empty for other calls. */
      readonly detail: readonly string[];
      /** Without the time that the user took to answer. */
      readonly tookMs: number;
    }
  /** A part of what a command prints while it runs. */
  | { readonly kind: 'output'; readonly call: ToolCallBlock; readonly text: string }
  | { readonly kind: 'gate'; readonly report: GateReport }
  | { readonly kind: 'notice'; readonly text: string }
  /** The status line has changed. */
  | { readonly kind: 'status' };

/** How a call ended. The response contains what the model is told. */
export type CallEnding = 'done' | 'failed' | 'declined' | 'cancelled';

export type ChatListener = (event: ChatEvent) => void;

/** The question before a call that changes something. */
export interface ApprovalRequest {
  readonly asks: ApprovalKind;
  readonly call: ToolCallBlock;
  readonly preview: CallPreview;
}

/** `always`: every call of this kind until the program ends. */
export type Approval = 'once' | 'always' | 'no';

/** @throws the signal's reason when it is aborted. */
export type Approver = (request: ApprovalRequest, signal: AbortSignal) => Promise<Approval>;

/** How a turn ended. */
export type TurnEnd =
  | { readonly kind: 'answered' }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly message: string };
