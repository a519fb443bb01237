import { orphanResponses, pairCalls, unansweredCalls } from '../src/content/calls/pairing.ts';
import type { IContent } from '../src/content/content.ts';
import { PreSendGate } from '../src/gate/pre-send-gate.ts';
import type { EngineName } from '../src/history/engine.ts';
import type { HistoryService } from '../src/history/history-service.ts';
import { createHistoryService } from '../src/offload/create-history-service.ts';
import { createProvider } from '../src/providers/index.ts';
import { createEphemerals } from '../src/settings/resolve.ts';
import type { IProvider } from '../src/strategies/contract.ts';
import { getCompressionPrompt } from '../src/strategies/prompts.ts';
import { carriedTokens } from '../src/strategies/summarizing/carried-words.ts';
import { isSnapshotEntry } from '../src/strategies/summarizing/snapshot.ts';
import { longestBusyMs } from './busy-stretch.ts';
import { serve } from './child.ts';
import { type ChainedHistory, chainedHistory } from './sessions.ts';

const TOKENS = 1_000_000;
const SEED = 1;
const MODEL = 'gpt-4o';
/** A window in which a million tokens need more than twenty compressions. */
const CONTEXT_LIMIT = 80_000;
const COMPLETION_TOKENS = 4_000;

/** The results of a session that was compressed many times. */
export interface LongRun {
  readonly compressions: number;
  /** One sentence per fault; empty if there are none. */
  readonly problems: readonly string[];
  /** One of each gate run. */
  readonly gateMs: readonly number[];
  /** The longest time that the thread was blocked, for each gate run that asked a model. */
  readonly stallMs: readonly number[];
  readonly tokensAfter: number;
}

/** Sends entry by entry through the gate with one strategy, and checks the invariants after each compression. */
export async function compressLongSession(
  strategy: string,
  provider: IProvider,
  { session, engine }: { session: ChainedHistory; engine: EngineName },
): Promise<LongRun> {
  const history = createHistoryService({ engine, model: MODEL });
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
  const gateMs: number[] = [];
  const stallMs: number[] = [];
  let said: readonly IContent[] = [];
  let compressions = 0;
  for (const entry of session.entries) {
    if (entry.speaker === 'ai') {
      const startedAt = performance.now();
      const running = gate.ensureCompressionBeforeSend('bench');
      const busyMs = await longestBusyMs(() => running);
      const { compression, enforcement } = await running;
      gateMs.push(performance.now() - startedAt);
      if (compression.kind === 'compressed') {
        compressions++;
        stallMs.push(busyMs);
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
  return { compressions, problems, gateMs, stallMs, tokensAfter };
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

/** What one process plays. */
export interface LongSessionPlan {
  readonly strategy: string;
  readonly engine: EngineName;
  /** Where a model listens. */
  readonly baseUrl: string;
}

export type PlayedSession = Omit<LongRun, 'tokensAfter'> & { readonly source: string; readonly clientStallMs: number };

/** The client of the model, loaded by a first request, and then the whole session. */
async function play({ strategy, engine, baseUrl }: LongSessionPlan): Promise<PlayedSession> {
  const provider = createProvider('anthropic', { baseUrl, environment: { ANTHROPIC_API_KEY: 'loopback' } });
  const session = chainedHistory({ tokens: TOKENS, seed: SEED });
  const request = { instructions: '', input: 'Are you there?', maxOutputTokens: 100 };
  const asking = provider.summarize(request);
  const clientStallMs = await longestBusyMs(() => asking);
  const first = await asking;
  if (first.kind !== 'summary') throw new Error(first.message);
  const run = await compressLongSession(strategy, provider, { session, engine });
  return {
    ...run,
    source: `${session.tokens} tokens chained from ${session.source}`,
    clientStallMs,
  };
}

serve<LongSessionPlan>(import.meta.filename, { play });
