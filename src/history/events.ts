import type { IContent } from '../content/content.ts';
import type { EngineProgress } from './engine.ts';

/** `totalTokens` includes the base offset; `contentId` is the entry's `metadata.id`, `null` for a change of many entries. */
export interface TokensUpdate {
  readonly totalTokens: number;
  readonly addedTokens: number;
  readonly contentId: string | null;
}

/** What a `HistoryService` emits. Source: docs/library.md, "Events". */
export interface HistoryEvents {
  contentAdded: [content: IContent];
  /** `add` refused what is no entry; `reason` says why. Without a listener there is one process warning for each kind of fault. */
  contentRefused: [content: unknown, reason: string];
  tokensUpdated: [update: TokensUpdate];
  compressionStarted: [];
  compressionEnded: [summary: IContent, itemsCompressed: number];
  /** Work that belongs on a thread is done on the calling thread, until `engineRestored`. */
  engineDegraded: [event: { readonly reason: Error }];
  engineRestored: [];
  /** A long count or a first synchronisation made progress. */
  engineProgress: [progress: EngineProgress];
}
