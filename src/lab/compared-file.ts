import { fileBytes } from '../disk/file-bytes.ts';
import { copiedAnswers } from '../sessions/copies/copied-calls.ts';
import { type ContradictedCall, withPossibleUsage } from '../sessions/possible-usage.ts';
import { blockCounter, entryCounter } from '../tokens/entries/block-counter.ts';
import { compareProfiles, playedAsRecorded, type UsageCheck } from './comparison.ts';
import { askedSession } from './files/answering-files.ts';
import type { FileQuestion } from './files/file-answers.ts';
import type { ComparedProfile } from './policy.ts';
import type { ProfileOutcome } from './policy-outcome.ts';

/** The question of how these policies do on one file. */
export interface ComparisonQuestion extends FileQuestion {
  readonly policies: readonly ComparedProfile[];
}

/** A session file under each policy. */
export interface ComparedFile {
  readonly path: string;
  readonly sizeBytes: number;
  readonly format: string;
  readonly model: string;
  /** The folder that the agent worked in, if it is recorded. */
  readonly project?: string;
  /** Model calls that are copies of another session's, and count there. */
  readonly copiedCalls: number;
  /** Model calls whose usage cannot be, and is not used. */
  readonly contradicted: readonly ContradictedCall[];
  readonly outcomes: readonly ProfileOutcome[];
  /** The cost model compared with recorded usage; absent if no usage reports cached tokens. */
  readonly usage?: UsageCheck;
}

/** The model used for a session that names none. */
const UNKNOWN_MODEL = 'unknown';

/**
 * Reads a session and plays it under each policy.
 * @throws CompressionStrategyError as `readSession`.
 */
export async function compareFile({ policies, ...file }: ComparisonQuestion): Promise<ComparedFile> {
  const { path } = file;
  const bytes = fileBytes(path);
  const { session: recorded, format } = askedSession(file, bytes);
  const model = recorded.model ?? UNKNOWN_MODEL;
  const countBlock = blockCounter(model);
  const { session, contradicted } = withPossibleUsage(recorded, entryCounter(model, countBlock));
  const compared = { session, vocabulary: format.vocabulary, model, countBlock };
  const outcomes = await compareProfiles(compared, policies);
  const usage = playedAsRecorded(compared);
  const project = session.workspaceRoot;
  return {
    path,
    sizeBytes: bytes.sizeBytes,
    format: format.name,
    model,
    ...(project !== undefined && { project }),
    copiedCalls: copiedAnswers(session).length,
    contradicted,
    outcomes,
    ...(usage && { usage }),
  };
}
