import type { IContent } from '../content/content.ts';

/**
 * Stores entries before a step removes or changes them in the history. `append` resolves when they are stored; if it
 * throws, the step does not happen. Source: docs/readings.md, row 22; REQ-HD-012.
 */
export interface TranscriptSink {
  /** Where a person finds it; the summary mentions it. */
  readonly path?: string;
  append(entries: readonly IContent[]): Promise<void>;
}
