import { fileBytes } from '../disk/file-bytes.ts';
import { readSession } from '../sessions/read-session.ts';
import { blockCounter } from '../tokens/entries/block-counter.ts';
import { comparePolicies, playedAsRecorded } from './comparison.ts';
import type { Policy } from './policy.ts';
import type { PolicyOutcome } from './policy-outcome.ts';
import type { UsageCheck } from './usage-check.ts';

/** A session file under each policy. */
export interface ComparedFile {
  readonly path: string;
  readonly sizeBytes: number;
  readonly format: string;
  readonly model: string;
  readonly outcomes: readonly PolicyOutcome[];
  /** The cost model compared with recorded usage; absent if no usage reports cached tokens. */
  readonly usage?: UsageCheck;
}

/** The model used for a session that names none. */
const UNKNOWN_MODEL = 'unknown';

/**
 * Reads the session at `path` and plays it under each policy.
 * @throws CompressionStrategyError as `readSession`.
 */
export async function compareFile(path: string, policies: readonly Policy[]): Promise<ComparedFile> {
  const bytes = fileBytes(path);
  const { session, format } = readSession(bytes);
  const model = session.model ?? UNKNOWN_MODEL;
  const compared = { session, vocabulary: format.vocabulary, model, countBlock: blockCounter(model) };
  const outcomes = await comparePolicies(compared, policies);
  const usage = playedAsRecorded(compared);
  return { path, sizeBytes: bytes.sizeBytes, format: format.name, model, outcomes, ...(usage && { usage }) };
}
