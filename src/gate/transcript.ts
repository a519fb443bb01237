import type { IContent } from '../content/content.ts';

/**
 * Where entries go before a step takes them, or part of them, out of the history. `append` resolves when they are
 * safe; when it throws, the step does not happen. Source: docs/readings.md, row 22; REQ-HD-012.
 */
export interface TranscriptSink {
  /** Where a person finds it; stands in the summary. */
  readonly path?: string;
  append(entries: readonly IContent[]): Promise<void>;
}
