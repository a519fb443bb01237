import type { ContentMetadata, Usage } from '../../content/content.ts';

/** The metadata of an entry while it is read. */
export type DraftMetadata = { -readonly [Field in keyof ContentMetadata]: ContentMetadata[Field] };

/** What a file says of an entry: what is not of its type, or false, was not recorded. */
export interface RecordedFacts {
  readonly id?: unknown;
  readonly timestamp?: number | undefined;
  readonly model?: unknown;
  readonly provider?: unknown;
  readonly usage?: Usage | undefined;
  readonly isSummary?: boolean | undefined;
  readonly synthetic?: boolean | undefined;
}

/**
 * Metadata with the facts that were recorded, in one order for every format. Objects that are spread together have a
 * shape for each file, and making them took longer than parsing the JSON that they come from.
 */
export function recordedMetadata(facts: RecordedFacts): DraftMetadata {
  const { id, timestamp, model, provider, usage, isSummary, synthetic } = facts;
  const metadata: DraftMetadata = {};
  if (typeof id === 'string') metadata.id = id;
  if (timestamp !== undefined) metadata.timestamp = timestamp;
  if (typeof model === 'string') metadata.model = model;
  if (typeof provider === 'string') metadata.provider = provider;
  if (usage) metadata.usage = usage;
  if (isSummary) metadata.isSummary = true;
  if (synthetic) metadata.synthetic = true;
  return metadata;
}

/** The same metadata with this id. */
export function withId(metadata: ContentMetadata | undefined, id: string): ContentMetadata {
  if (metadata?.id === id) return metadata;
  // Not spread: the id comes first, as everywhere.
  return Object.assign({ id }, metadata, { id });
}
