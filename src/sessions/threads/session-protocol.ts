import type { MessagePort } from 'node:worker_threads';
import type { IContent } from '../../content/content.ts';
import type { ContextCut } from '../../content/session-event.ts';
import type { NewSession, Session } from '../../formats/contract.ts';
import type { Loss } from '../../formats/losses/loss-kinds.ts';
import type { FileCount } from '../file-count.ts';
import type { OptimizeConfig } from '../prunable.ts';
import type { RemovalStep } from '../removal-step.ts';
import type { SessionFigures, SessionInspection } from '../session-inspection.ts';
import type { PooledTexts } from './text-pool.ts';

/** A session file; its format is found by content unless it is given. */
export interface SessionPlace {
  readonly path: string;
  readonly format?: string;
}

/** A question to the thread. Each one opens its file again. */
export type SessionQuestion =
  | ({ readonly kind: 'open' } & SessionPlace)
  | { readonly kind: 'figures'; readonly path: string; readonly optimize: OptimizeConfig }
  /** Counted as `model` does; as the recorded model if absent. */
  | ({ readonly kind: 'inspect'; readonly optimize: OptimizeConfig; readonly model?: string } & SessionPlace)
  | ({ readonly kind: 'convert'; readonly to: string; readonly fallback: FallbackFacts } & SessionPlace)
  /** The file again, as it was at `sizeBytes`, with another live history. */
  | ({ readonly kind: 'rewrite'; readonly sizeBytes: number; readonly history: PackedHistory } & Required<SessionPlace>)
  /** A text file of any kind, counted as `model` does. */
  | { readonly kind: 'count'; readonly path: string; readonly model: string };

/** A history as it is sent: an entry of the session is its number, from 0, in the order of the events. */
export type PackedHistory = readonly (IContent | number)[];

/** A message of the main thread: a question, then `next` for each further part of the answer. */
export type SessionRequest =
  | { readonly kind: 'ask'; readonly question: SessionQuestion; readonly progress: MessagePort }
  | { readonly kind: 'next' };

/** An event as it is sent: a replacement names entries that were sent before by their number, from 0. */
export type PackedEvent =
  | { readonly kind: 'add'; readonly content: IContent }
  | { readonly kind: 'replace'; readonly contents: readonly (IContent | number)[]; readonly by?: ContextCut };

/** Events, with their long texts in a pool. */
export interface EventSlice {
  readonly events: readonly PackedEvent[];
  readonly texts: PooledTexts;
}

/** Values for a new session if the old one has none: a thread invents neither ids nor times. */
export type FallbackFacts = Pick<NewSession, 'id' | 'startedAt'>;

/** A session without its events. */
type SessionHead = Omit<Session, 'events'>;

/** A session that was read, without its events. */
export interface ReadHead {
  readonly head: SessionHead;
  readonly readMs: number;
}

/** What each kind of question is answered with. The events of a session, or the pieces of a file, follow. */
export interface SessionAnswers {
  readonly open: ReadHead;
  readonly figures: SessionFigures;
  readonly inspect: ReadHead & { readonly inspection: SessionInspection };
  readonly convert: ReadHead & { readonly entries: number; readonly losses: readonly Loss[] };
  readonly rewrite: { readonly step: RemovalStep };
  readonly count: FileCount;
}

/** A part of the reply; `answer` is the first one, `end` the last one. */
export type SessionReply =
  | { readonly kind: 'answer'; readonly answer: SessionAnswers[SessionQuestion['kind']] }
  | { readonly kind: 'events'; readonly slice: EventSlice }
  | { readonly kind: 'piece'; readonly bytes: Uint8Array }
  | { readonly kind: 'end' };
