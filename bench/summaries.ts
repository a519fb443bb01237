import type { IContent } from '../src/content/content.ts';
import { orphanResponses, pairCalls, unansweredCalls } from '../src/content/pairing.ts';
import { PreSendGate } from '../src/gate/pre-send-gate.ts';
import type { HistoryService } from '../src/history/history-service.ts';
import { createHistoryService, type EngineName } from '../src/offload/create-history-service.ts';
import { StallProbe } from '../src/replay/stall-probe.ts';
import { createEphemerals } from '../src/settings/resolve.ts';
import type { IProvider } from '../src/strategies/contract.ts';
import { getCompressionPrompt } from '../src/strategies/prompts.ts';
import { carriedTokens } from '../src/strategies/summarizing/carried-words.ts';
import { isSnapshotEntry } from '../src/strategies/summarizing/snapshot.ts';
import { type Row, rowOf } from './row.ts';
import { type ChainedHistory, chainedHistory } from './sessions.ts';

const TOKENS = 1_000_000;
const SEED = 1;
const MODEL = 'gpt-4o';
/** A window in which a million tokens need more than twenty compressions. */
const CONTEXT_LIMIT = 80_000;
const COMPLETION_TOKENS = 4_000;

/** What came of a session that was compressed again and again. */
export interface LongRun {
  readonly compressions: number;
  /** Each is a sentence; there are none when all is well. */
  readonly problems: readonly string[];
  /** One of each gate run. */
  readonly gateMs: readonly number[];
  /** The longest that the thread was blocked in each gate run in which a model was asked. */
  readonly stallMs: readonly number[];
  readonly tokensAfter: number;
}

/** Answers at once, with a snapshot of about a thousand tokens that names files which the conversation names. */
export const instantSummarizer: IProvider = {
  name: 'instant',
  async summarize({ input }) {
    const paths = [...new Set(input.match(/\/home\/dev\/[\w./-]+\.\w+/g) ?? [])].slice(0, 80);
    const lines = paths.map((path) => `- ${path}: was worked on`).join('\n');
    const text = `<state_snapshot>\n<overall_goal>Go on.</overall_goal>\n<file_system_state>\n${lines}\n</file_system_state>\n</state_snapshot>`;
    return { kind: 'summary', text, isTruncated: false };
  },
};

/** Entry by entry through the gate with one strategy, checking after each compression what must hold. */
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
      const probe = new StallProbe(() => performance.now());
      probe.resume();
      const startedAt = performance.now();
      const { compression, enforcement } = await gate.ensureCompressionBeforeSend('bench');
      gateMs.push(performance.now() - startedAt);
      probe.pause();
      if (compression.kind === 'compressed') {
        compressions++;
        stallMs.push(probe.stallMs.max());
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

/** A million tokens chained from recordings through each strategy that asks a model, which answers at once. */
export async function run(): Promise<readonly Row[]> {
  const session = chainedHistory({ tokens: TOKENS, seed: SEED });
  console.log(
    `${session.tokens} tokens chained from ${session.source}, seed ${SEED}; window of ${CONTEXT_LIMIT} tokens`,
  );
  const rows: Row[] = [];
  for (const strategy of ['middle-out', 'one-shot']) {
    for (const engine of ['inline', 'offloaded'] as const) {
      const { compressions, problems, gateMs, stallMs } = await compressLongSession(strategy, instantSummarizer, {
        session,
        engine,
      });
      if (problems.length > 0) throw new Error(`Expected ${strategy} to keep its promises: ${problems.join('; ')}`);
      const id = `summaries.${strategy}.${engine}`;
      rows.push(
        rowOf(`${id}.compressions`, 'count', [compressions]),
        rowOf(`${id}.gate`, 'ms', gateMs),
        rowOf(`${id}.stall`, 'ms', stallMs),
      );
    }
  }
  return rows;
}
