import type { IContent } from '../../content/content.ts';
import { counted, grouped } from '../../content/counted.ts';
import { CompressionStrategyError, messageOf } from '../../errors.ts';
import type { HistoryService } from '../../history/history-service.ts';
import { optimizedEntries } from '../../strategies/changed-entries.ts';
import type { Budget } from '../budget.ts';
import { changedEntries } from '../density/density-step.ts';
import type { TranscriptSink } from '../options.ts';
import type {
  CompressionOutcome,
  DensityOutcome,
  EnforcementOutcome,
  LastResortOutcome,
  OnRemoved,
} from '../report.ts';
import { type LastResortPlan, planLastResort } from './last-resort.ts';

/** The last resort's name as a reason. */
const LAST_RESORT = 'last-resort';

/** Attempts at a last resort for a history that changes meanwhile. */
const MAX_ATTEMPTS = 3;

/** The steps of the gate that enforcement uses; no other gate run overlaps them. */
export interface EnforcementSteps {
  readonly budget: Budget;
  readonly pendingTokens: number;
  readonly isStrict: boolean;
  readonly transcript: TranscriptSink | undefined;
  readonly optimize: () => Promise<DensityOutcome>;
  /** Compresses with at most this threshold. */
  readonly compress: (thresholdRatio: number) => Promise<CompressionOutcome>;
  /** When aborted, the last resort removes nothing. */
  readonly signal?: AbortSignal | undefined;
  readonly notify: (notice: string) => void;
  readonly onRemoved?: OnRemoved | undefined;
}

/**
 * Makes a send that is too large fit the window: optimises, compresses, then uses the last resort, until it fits.
 * @throws CompressionStrategyError `CONTEXT_WINDOW_EXCEEDED` if nothing makes it fit, or only the last resort would and
 * `isStrict` forbids it; the error of a failed compression if `isStrict`. The last resort removes nothing then. Source: docs/readings.md, row 17; law 10.
 */
export async function enforceWindow(history: HistoryService, steps: EnforcementSteps): Promise<EnforcementOutcome> {
  const { budget, isStrict } = steps;
  const fits = (): boolean => roomFor(history, steps) >= 0;
  const projection = projectionOf(history, steps);
  const allowedTokens = budget.hardLimitTokens - projection.baseTokens - projection.pendingTokens;
  if (allowedTokens < 0) throw contextWindowExceeded(budget, projection);
  const density = await steps.optimize();
  if (fits()) return { kind: 'enforced', density };
  const compression = await steps.compress(allowedTokens / budget.contextLimitTokens);
  if (fits()) return { kind: 'enforced', density, compression };
  const failure = compression.kind === 'failed' ? compression.error : undefined;
  if (isStrict) throw failure ?? contextWindowExceeded(budget, projectionOf(history, steps));
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const lastResort = await runLastResort(history, steps, compression);
    if (lastResort && fits()) return { kind: 'enforced', density, compression, lastResort };
  }
  throw contextWindowExceeded(budget, projectionOf(history, steps), failure);
}

function projectionOf(history: HistoryService, { pendingTokens }: EnforcementSteps): Projection {
  const baseTokens = history.getBaseTokenOffset();
  return { historyTokens: history.getTotalTokens() - baseTokens, baseTokens, pendingTokens };
}

/** Tokens left below the hard limit; negative if the send is too large. */
function roomFor(history: HistoryService, { budget, pendingTokens }: EnforcementSteps): number {
  return budget.hardLimitTokens - history.getTotalTokens() - pendingTokens;
}

/** `undefined` if the history changed during planning; nothing was removed then. */
async function runLastResort(
  history: HistoryService,
  steps: EnforcementSteps,
  compression: CompressionOutcome,
): Promise<LastResortOutcome | undefined> {
  const cause = compression.kind === 'failed' ? compression.error : undefined;
  const entries = history.getAll();
  const base = history.gateAccess.versions.version();
  const tokensPerEntry = history.getTokensPerEntry();
  const historyTokens = tokensPerEntry.reduce((sum, tokens) => sum + tokens, 0);
  const plan = await planLastResort({
    history: entries,
    tokensPerEntry,
    allowedTokens: historyTokens + roomFor(history, steps),
    estimateTokens: (contents) => history.estimateTokensForContents(contents),
  });
  if (plan === undefined) throw contextWindowExceeded(steps.budget, projectionOf(history, steps), cause);
  await steps.transcript?.append(changedEntries(entries, plan));
  steps.signal?.throwIfAborted();
  const metadata = { readWritePairsPruned: 0, fileDeduplicationsPruned: 0, recencyPruned: 0 };
  const result = { ...plan, metadata };
  try {
    await history.applyDensityResult(result, base);
  } catch (error) {
    if (error instanceof CompressionStrategyError && error.code === 'HISTORY_CHANGED') return undefined;
    throw error;
  }
  const changes = optimizedEntries(entries, result, LAST_RESORT);
  steps.onRemoved?.({ kind: 'compressed', before: entries, changes });
  await history.waitForTokenUpdates();
  const humans = plan.removals.map((index) => entries[index]!).filter((entry) => entry.speaker === 'human');
  steps.notify(describe(plan, { humans, compression, budget: steps.budget }));
  return {
    entriesDropped: plan.removals.length,
    humanEntriesDropped: humans.length,
    entriesShrunk: plan.replacements.size,
  };
}

/** The notice of the last resort: why it was needed and what it removed, with the first words of each human message. */
function describe(
  plan: LastResortPlan,
  { humans, compression, budget }: { humans: readonly IContent[]; compression: CompressionOutcome; budget: Budget },
): string {
  const { removals, replacements } = plan;
  const entries = (count: number): string => counted(count, 'entry', 'entries');
  const actions: string[] = [];
  if (removals.length > 0) actions.push(`removed the oldest ${entries(removals.length)}`);
  if (replacements.size > 0) actions.push(`shortened the tool results of ${entries(replacements.size)}`);
  const messages = humans.map((entry) => `“${firstWords(entry)}”`).join(', ');
  const lost = humans.length > 0 ? ` Your messages that are no longer in the context: ${messages}.` : '';
  return `The conversation did not fit the limit of ${counted(budget.hardLimitTokens, 'token')}: ${reasonOf(compression)}; ${actions.join(' and ')}.${lost}`;
}

const REASONS: Readonly<Record<Exclude<CompressionOutcome['kind'], 'failed'>, string>> = {
  'cooling-down': 'compression failed several times and is paused',
  unchanged: 'compression did not make it smaller',
  compressed: 'compression was not enough',
  'not-needed': 'compression was not enough',
};

const reasonOf = (compression: CompressionOutcome): string =>
  compression.kind === 'failed'
    ? `compression with "${compression.strategy}" failed (${messageOf(compression.error)})`
    : REASONS[compression.kind];

function firstWords(entry: IContent): string {
  const text = entry.blocks.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join(' ');
  const line = text.trim().replace(/\s+/g, ' ');
  return line.length > 60 ? `${line.slice(0, 60)}…` : line;
}

/** The parts of a send, in tokens. */
interface Projection {
  readonly historyTokens: number;
  readonly baseTokens: number;
  readonly pendingTokens: number;
}

/** The error of a send that cannot be made to fit, with its numbers (docs/readings.md, row 17; law 10). */
function contextWindowExceeded(
  budget: Budget,
  { historyTokens, baseTokens, pendingTokens }: Projection,
  cause?: unknown,
): CompressionStrategyError {
  const { contextLimitTokens, completionTokens, marginTokens, hardLimitTokens } = budget;
  return new CompressionStrategyError(
    `Expected at most ${counted(hardLimitTokens, 'token')} to send (context limit ${grouped(contextLimitTokens)}, less ${grouped(completionTokens)} for the answer and a margin of ${grouped(marginTokens)}), ` +
      `got ${grouped(historyTokens + baseTokens + pendingTokens)} (history ${grouped(historyTokens)}, system prompt and tools ${grouped(baseTokens)}, pending ${grouped(pendingTokens)}), and nothing more can be removed. ` +
      'Shorten the message, start a new conversation, raise `context-limit`, or choose a model with a larger window.',
    'CONTEXT_WINDOW_EXCEEDED',
    { cause },
  );
}
