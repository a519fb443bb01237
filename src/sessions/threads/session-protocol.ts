import type { MessagePort } from 'node:worker_threads';
import type { IContent } from '../../content/content.ts';
import type { NewSession, Session } from '../../formats/contract.ts';
import type { Loss } from '../../formats/losses/loss-kinds.ts';
import type { FileCount } from '../file-count.ts';
import type { Inspection } from '../inspection.ts';
import type { TakenStep } from '../taken-step.ts';
import type { PooledTexts } from './text-pool.ts';

/** A session file; its format is found by content unless it is given. */
export interface SessionPlace {
  readonly path: string;
  readonly format?: string;
}

/** What can be asked. Each question opens its file again. */
export type SessionQuestion =
  | ({ readonly kind: 'open' } & SessionPlace)
  | { readonly kind: 'figures'; readonly path: string }
  /** `model` counts; the recorded one when absent. */
  | ({ readonly kind: 'inspect'; readonly model?: string } & SessionPlace)
  | ({ readonly kind: 'convert'; readonly to: string; readonly fallback: FallbackFacts } & SessionPlace)
  /** The file again, as it was at `sizeBytes`, with another live history. */
  | ({ readonly kind: 'rewrite'; readonly sizeBytes: number; readonly history: PackedHistory } & Required<SessionPlace>)
  /** A text file of any kind, counted as `model` does. */
  | { readonly kind: 'count'; readonly path: string; readonly model: string };

/** A history as it crosses: an entry of the session by its number, which is its place among all that ever came, from 0. */
export type PackedHistory = readonly (IContent | number)[];

/** What the main thread sends: a question, then `next` for each further part of the answer. */
export type SessionRequest =
  | { readonly kind: 'ask'; readonly question: SessionQuestion; readonly progress: MessagePort }
  | { readonly kind: 'next' };

/** An event as it crosses: a replacement names entries that crossed before by their number, from 0. */
export type PackedEvent =
  | { readonly kind: 'add'; readonly content: IContent }
  | { readonly kind: 'replace'; readonly contents: readonly (IContent | number)[] };

/** Events, with their long texts apart. */
export interface EventSlice {
  readonly events: readonly PackedEvent[];
  readonly texts: PooledTexts;
}

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

/** For a new session where the old one has none: a thread makes up neither ids nor times. */
export type FallbackFacts = Pick<NewSession, 'id' | 'startedAt'>;

/** All that a file says of its session, but its events. */
export type SessionHead = Omit<Session, 'events'>;

/** A part of the answer; `end` is the last one. */
export type SessionReply =
  | { readonly kind: 'head'; readonly head: SessionHead; readonly readMs: number }
  | { readonly kind: 'events'; readonly slice: EventSlice }
  | { readonly kind: 'figures'; readonly figures: SessionFigures }
  | { readonly kind: 'inspection'; readonly inspection: Inspection }
  | { readonly kind: 'converted'; readonly entries: number; readonly losses: readonly Loss[] }
  | { readonly kind: 'step'; readonly step: TakenStep }
  | { readonly kind: 'piece'; readonly bytes: Uint8Array }
  | { readonly kind: 'count'; readonly count: FileCount }
  | { readonly kind: 'end' };
