import type { IContent } from '../../content/content.ts';

/** One presence of an entry in a history, and its count. An object that was added twice has two slots. */
export interface Slot {
  readonly content: IContent;
  model: string;
  /** Rises from entry to entry; a replacement takes over the sequence of the entry that it replaces. */
  readonly sequence: number;
  state: 'uncounted' | 'counted' | 'failed';
  /** 0 until counted. */
  tokens: number;
  isPresent: boolean;
}

/** Tokens of an entry for a model. */
export interface ModelCount {
  readonly model: string;
  readonly tokens: number;
}
