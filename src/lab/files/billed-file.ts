import { fileBytes } from '../../disk/file-bytes.ts';
import { recordedCacheMinutes } from '../../replay/recorded/recorded-lifetime.ts';
import { constantTokensOf, reportedConstantTokens } from '../../sessions/constant-tokens.ts';
import { type ReadSession, readSession } from '../../sessions/read-session.ts';
import { blockCounter, entryCounter } from '../../tokens/entries/block-counter.ts';
import { type RecommendedBill, recommendedBill } from '../recommended-bill.ts';
import { type RecordedCall, recordedCalls } from '../recorded-bill.ts';

/** The bill of a session file. */
export interface BilledFile {
  readonly path: string;
  readonly agent: string;
  readonly project: string;
  /** Empty if no usage is recorded. */
  readonly calls: readonly RecordedCall[];
  /** Tokens of system prompt and tool definitions, if that is known. */
  readonly constantTokens?: number;
  /** Simulated; absent if no price is known for its model. */
  readonly bill?: Pick<RecommendedBill, 'without' | 'recommended'>;
}

/** Reads the session at `path` and bills its calls. @throws CompressionStrategyError as `readSession`. */
export async function billedFile(path: string): Promise<BilledFile> {
  const read = readSession(fileBytes(path));
  const { session, format } = read;
  const calls = recordedCalls(session);
  const facts = { path, agent: format.name, project: session.workspaceRoot ?? 'unknown', calls };
  return calls.length === 0 ? facts : { ...facts, ...(await billed(read, calls)) };
}

/** What the text of a session adds to its recorded calls. */
async function billed(
  { session, format }: ReadSession,
  calls: readonly RecordedCall[],
): Promise<Pick<BilledFile, 'constantTokens' | 'bill'>> {
  const { model, price } = calls.at(-1)!;
  const countBlock = blockCounter(model);
  const tokensOf = entryCounter(model, countBlock);
  const constantTokens = reportedConstantTokens(session, tokensOf);
  const known = constantTokens === undefined ? {} : { constantTokens };
  if (price.match === 'unknown') return known;
  const { without, recommended } = await recommendedBill({
    session,
    vocabulary: format.vocabulary,
    model,
    cacheMinutes: recordedCacheMinutes(session),
    tokensOf,
    constantTokens: constantTokensOf(session, { tokensOf, countBlock }),
  });
  return { ...known, bill: { without, recommended } };
}
