import type { IContent } from '../../content/content.ts';
import type { WarmWorth } from '../../economics/warm/warm-worth.ts';
import type { Session } from '../../formats/contract.ts';
import { recordedCacheMinutes } from '../../replay/recorded/recorded-lifetime.ts';
import { constantTokensOf, reportedConstantTokens } from '../../sessions/constant-tokens.ts';
import { copiedAnswers } from '../../sessions/copies/copied-calls.ts';
import { type ContradictedAnswer, withPossibleUsage } from '../../sessions/possible-usage.ts';
import type { ReadSession } from '../../sessions/read-session.ts';
import { blockCounter, type CountBlock, entryCounter } from '../../tokens/entries/block-counter.ts';
import { type RecommendedBill, recommendedBill } from '../recommended-bill.ts';
import { type BilledSideCall, billedSideCalls, type RecordedCall, recordedCalls } from '../recorded-bill.ts';
import { recordedWarmWorth } from '../recorded-warm.ts';
import { askedSession } from './answering-files.ts';
import type { FileQuestion } from './file-answers.ts';

/** The bill of a session file. */
export interface BilledFile {
  readonly path: string;
  readonly agent: string;
  readonly project: string;
  /** Empty if no usage is recorded, or all calls are copies. Those of sub-agents in the file have an `answerId`. */
  readonly calls: readonly (RecordedCall | BilledSideCall)[];
  /** Calls that are copies of another session's, and billed there. */
  readonly copiedCalls: readonly Pick<RecordedCall, 'model' | 'atMs'>[];
  /** Calls whose usage cannot be. They are in no other figure. */
  readonly contradicted: readonly ContradictedAnswer[];
  /** Tokens of system prompt and tool definitions, if that is known. */
  readonly constantTokens?: number;
  /** True if some of it was sent in shorter forms under `density wrap` or `density proxy`. */
  readonly isPruned?: true;
  /** What pings would have done in it; simulated, absent if its provider is not known to renew a cache that is read. */
  readonly warm?: WarmWorth;
  /** Simulated; absent if no price is known for its model, or if its calls were pruned. */
  readonly bill?: Pick<RecommendedBill, 'without' | 'recommended'>;
}

/** Reads a session and bills its own calls. @throws CompressionStrategyError as `readSession`. */
export async function billedFile(question: FileQuestion): Promise<BilledFile> {
  const read = askedSession(question);
  const { format } = read;
  const { model = 'unknown' } = read.session;
  const countBlock = blockCounter(model);
  const tokensOf = entryCounter(model, countBlock);
  const { session, contradicted } = withPossibleUsage(read.session, tokensOf);
  const calls = recordedCalls(session);
  const project = session.workspaceRoot ?? 'unknown';
  const copied = copiedCalls(session);
  const all = [...calls, ...billedSideCalls(session)];
  const warm = recordedWarmWorth(calls);
  const facts = {
    path: question.path,
    agent: format.name,
    project,
    calls: all,
    contradicted,
    copiedCalls: copied,
    ...(warm && { warm }),
  };
  return calls.length === 0
    ? facts
    : { ...facts, ...(await billed({ session, format }, { calls, countBlock, tokensOf })) };
}

const copiedCalls = (session: Session): BilledFile['copiedCalls'] =>
  copiedAnswers(session).map(({ metadata }) => ({
    model: metadata?.model ?? session.model ?? 'unknown',
    atMs: metadata?.timestamp,
  }));

interface Counted {
  readonly calls: readonly RecordedCall[];
  readonly countBlock: CountBlock;
  readonly tokensOf: (entry: IContent) => number;
}

/** What the text of a session adds to its recorded calls. */
async function billed(
  { session, format }: Pick<ReadSession, 'session' | 'format'>,
  { calls, countBlock, tokensOf }: Counted,
): Promise<Pick<BilledFile, 'constantTokens' | 'isPruned' | 'bill'>> {
  const { model, price } = calls.at(-1)!;
  const constantTokens = reportedConstantTokens(session, tokensOf);
  const known = constantTokens === undefined ? {} : { constantTokens };
  // What it would cost without pruning is not in its file: the calls have the shorter texts.
  if (session.isAsSent) return { ...known, isPruned: true };
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
