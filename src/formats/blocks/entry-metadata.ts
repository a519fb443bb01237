import type { ContentMetadata, Usage } from '../../content/content.ts';
import { timeOf } from './iso-time.ts';

/** The metadata of an entry that is still being read. */
export type DraftMetadata = { -readonly [Field in keyof ContentMetadata]: ContentMetadata[Field] };

/** Facts about an entry in a file, with its time as the file has it; a value of another type, or false, counts as not recorded. */
export interface RecordedFacts {
  readonly id?: unknown;
  readonly timestamp?: unknown;
  readonly model?: unknown;
  readonly provider?: unknown;
  readonly usage?: Usage | undefined;
  readonly answerId?: unknown;
  readonly isSummary?: boolean | undefined;
  readonly synthetic?: boolean | undefined;
  readonly attachedFile?: string | undefined;
}

/**
 * The recorded facts as metadata, in the same order for every format. Spreading objects instead would take longer than
 * parsing the JSON.
 */
export function recordedMetadata(facts: RecordedFacts): DraftMetadata {
  const { id, model, provider, usage, answerId, isSummary, synthetic, attachedFile } = facts;
  const timestamp = timeOf(facts.timestamp);
  const metadata: DraftMetadata = {};
  if (typeof id === 'string') metadata.id = id;
  if (timestamp !== undefined) metadata.timestamp = timestamp;
  if (typeof model === 'string') metadata.model = model;
  if (typeof provider === 'string') metadata.provider = provider;
  if (usage) metadata.usage = usage;
  if (typeof answerId === 'string') metadata.answerId = answerId;
  if (isSummary) metadata.isSummary = true;
  if (synthetic) metadata.synthetic = true;
  if (attachedFile !== undefined) metadata.attachedFile = attachedFile;
  return metadata;
}

/** A copy of the metadata with this id. */
export function withId(metadata: ContentMetadata | undefined, id: string): ContentMetadata {
  if (metadata?.id === id) return metadata;
  // Not spread, so that the id is first, as everywhere.
  return Object.assign({ id }, metadata, { id });
}
