import type { IContent } from '../content/content.ts';
import type { Session } from '../formats/contract.ts';
import type { ErrorData } from '../offload/protocol.ts';

/** What the main thread sends: a question, then `next` for each further part of the answer. */
export type SessionRequest =
  | { readonly kind: 'open'; readonly path: string; readonly format?: string }
  | { readonly kind: 'figures'; readonly path: string }
  | { readonly kind: 'next' };

/** An event as it crosses: a replacement names entries that crossed before by their number, from 0. */
export type PackedEvent =
  | { readonly kind: 'add'; readonly content: IContent }
  | { readonly kind: 'replace'; readonly contents: readonly (IContent | number)[] };

/** What a session takes, counted exactly as its model does. Tokens are those of its live history. */
export interface SessionFigures {
  readonly format: string;
  readonly workspaceRoot?: string;
  readonly model?: string;
  readonly entries: number;
  readonly tokens: number;
  /** Of these, what `optimize` would take away. */
  readonly staleTokens: number;
}

/** What the thread answers. `progress` comes unasked, `end` or `failed` last. */
export type SessionReply =
  | { readonly kind: 'progress'; readonly doneBytes: number }
  | { readonly kind: 'head'; readonly head: Omit<Session, 'events'>; readonly readMs: number }
  | { readonly kind: 'events'; readonly events: readonly PackedEvent[] }
  | { readonly kind: 'figures'; readonly figures: SessionFigures }
  | { readonly kind: 'failed'; readonly error: ErrorData }
  | { readonly kind: 'end' };
