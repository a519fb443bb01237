import type { ChainedHistory } from '../../../bench/sessions.ts';
import { orphanResponses, pairCalls, unansweredCalls } from '../../../src/content/calls/pairing.ts';
import type { IContent } from '../../../src/content/content.ts';
import { PreSendGate } from '../../../src/gate/pre-send-gate.ts';
import type { HistoryService } from '../../../src/history/history-service.ts';
import { createHistoryService } from '../../../src/offload/create-history-service.ts';
import { createEphemerals } from '../../../src/settings/resolve.ts';
import type { IProvider } from '../../../src/strategies/contract.ts';
import { getCompressionPrompt } from '../../../src/strategies/prompts.ts';
import { carriedTokens } from '../../../src/strategies/summarizing/carried-words.ts';
import { isSnapshotEntry } from '../../../src/strategies/summarizing/snapshot.ts';

const MODEL = 'gpt-4o';
/** A window in which a million tokens need more than twenty compressions. */
const CONTEXT_LIMIT = 80_000;
const COMPLETION_TOKENS = 4_000;

/** The results of a session that was compressed many times. */
interface LongRun {
  readonly compressions: number;
  /** One sentence per fault; empty if there are none. */
  readonly problems: readonly string[];
  readonly tokensAfter: number;
}

/** Sends entry by entry through the gate with one strategy, and checks the invariants after each compression. */
export async function compressLongSession(
  strategy: string,
  provider: IProvider,
  session: ChainedHistory,
): Promise<LongRun> {
  const history = createHistoryService({ engine: 'inline', model: MODEL });
  const ephemerals = createEphemerals([{ 'compression.strategy': strategy as never, 'context-limit': CONTEXT_LIMIT }], {
    model: MODEL,
  });
  const gate = new PreSendGate(history, {
    runtimeContext: { ephemerals, workspaceRoot: session.workspaceRoot },
    runtimeState: { model: MODEL },
    completionBudgetTokens: COMPLETION_TOKENS,
    summarizer: {
      resolveProvider: () => provider,
      promptResolver: { resolve: async () => getCompressionPrompt() },
      promptBaseDir: '',
      promptContext: {},
    },
  });
  const problems: string[] = [];
  let said: readonly IContent[] = [];
  let compressions = 0;
  for (const entry of session.entries) {
    if (entry.speaker === 'ai') {
      const { compression, enforcement } = await gate.ensureCompressionBeforeSend('send');
      if (compression.kind === 'compressed') {
        compressions++;
        if (compression.tokensAfter >= compression.tokensBefore) problems.push('a compression made the history larger');
        problems.push(...(await problemsOf(history, said)));
      }
      if (enforcement.kind === 'enforced' && enforcement.lastResort) said = history.getAll().filter(isSaid);
    }
    history.add(entry);
    if (isSaid(entry)) said = [...said, entry];
  }
  await history.waitForTokenUpdates();
  const tokensAfter = history.getTotalTokens();
  history.dispose();
  return { compressions, problems, tokensAfter };
}

const isSaid = (entry: IContent): boolean => entry.speaker === 'human' && !isSnapshotEntry(entry);

async function problemsOf(history: HistoryService, said: readonly IContent[]): Promise<string[]> {
  const problems: string[] = [];
  const entries = history.getAll();
  const pairing = pairCalls(entries);
  if (unansweredCalls(pairing).length > 0 || orphanResponses(pairing).length > 0) problems.push('a pair is broken');
  if (entries.filter(isSnapshotEntry).length !== 1) problems.push('there is not exactly one summary');
  const kept = new Set(entries);
  let tokens = 0;
  for (const words of said.toReversed()) {
    tokens += await history.estimateTokensForContents([words]);
    if (tokens > carriedTokens(CONTEXT_LIMIT)) break;
    if (!kept.has(words)) problems.push('words of the user within the budget are lost');
  }
  return problems;
}
