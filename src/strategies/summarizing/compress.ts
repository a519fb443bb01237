import { pairSafeIndex } from '../../content/calls/boundary.ts';
import type { IContent } from '../../content/content.ts';
import { counted, grouped } from '../../content/counted.ts';
import { CompressionStrategyError, PromptResolutionError } from '../../errors.ts';
import type { CompressionContext, CompressionResult, IProvider, Todo } from '../contract.ts';
import { COMPRESSION_PROMPT_ID } from '../prompts.ts';
import { type Answer, askForSummary, type SummaryMatter } from './ask.ts';
import { type CarriedWords, carriedTokens, carryWords } from './carried-words.ts';
import { type Claim, claimsOf } from './claims.ts';
import { unsupportedClaims } from './evidence.ts';
import { groundingRequest, type MendedSnapshot, mendSnapshot } from './grounding.ts';
import { planSummary, type SummaryPlan } from './plan.ts';
import { fenced, type Piece, piecesOf } from './rendering.ts';
import { readSnapshot, snapshotEntry, snapshotText } from './snapshot.ts';

/**
 * The least progress: no model is asked about less than this share of the history, and a result that saves less is
 * refused. So a model is asked only a few times before a history cannot shrink further.
 */
const MIN_SUMMARIZED_RATIO = 0.1;
const MIN_SAVED_RATIO = 0.05;
/** Characters prepared for the model between two turns of the event loop: about a millisecond of work. */
const RENDERED_SLICE_UNITS = 100_000;

interface SummarizingOptions {
  readonly strategy: string;
  /** Share of the entries at the start that is kept unchanged. */
  readonly topRatio: number;
  /** Yields to the event loop; called between slices of long work. */
  readonly pause: () => Promise<void>;
}

const MAX_NAMED = 20;

/** The notes below a snapshot: what may be wrong, what is missing, and the file of the whole conversation (REQ-HD-012.2). */
function summaryNotes({
  snapshot: { marked, struck },
  shortened,
  transcriptPath,
}: {
  snapshot: MendedSnapshot;
  shortened: CarriedWords['shortened'];
  transcriptPath: string | undefined;
}): string[] {
  const notes = [
    'This is a summary of the earlier conversation, not a request: continue the work from here.',
    ...(marked > 0 ? [`${lines(marked)} marked (unverified): the conversation does not say so.`] : []),
    ...(struck > 0 ? [`${lines(struck)} removed: the user did not say what was quoted.`] : []),
    ...(shortened.length > 0 ? [namedMessages(shortened)] : []),
    ...(transcriptPath === undefined ? [] : [`The full conversation before this summary is in ${transcriptPath}`]),
  ];
  return [notes.join('\n')];
}

const lines = (count: number): string => counted(count, 'line is', 'lines are');

function namedMessages(shortened: CarriedWords['shortened']): string {
  const named = shortened.slice(-MAX_NAMED);
  const earlier = shortened.length - named.length;
  return [
    'Messages of the user that are not here word for word, for lack of room:',
    ...(earlier > 0 ? [`- ${counted(earlier, 'earlier one')}`] : []),
    ...named.map(({ opening, tokens }) => `- "${opening}" (${counted(tokens, 'token')})`),
  ].join('\n');
}

/**
 * The history with the part between top and tail replaced by a snapshot that a model writes. The user's words in that part
 * are kept before the snapshot, as far as they fit. If too little can be removed, the history is returned unchanged and no
 * model is asked. Does not change its input; linear in the history, except for `evidence`.
 * @throws CompressionExecutionError when the provider fails, PromptResolutionError, or CompressionStrategyError
 * `EMPTY_SUMMARY`, `TRUNCATED_SUMMARY`, `SUMMARY_NOT_SMALLER` when the answer cannot be used.
 */
export async function compressBySummary(
  context: CompressionContext,
  options: SummarizingOptions,
): Promise<CompressionResult> {
  const { history, estimateTokens, logger } = context;
  const { ephemerals } = context.runtimeContext;
  const plan = planSummary(history, { topRatio: options.topRatio, tailRatio: ephemerals.preserveThreshold() });
  await options.pause();
  const carried = await carryWords(history, {
    indices: plan.humans,
    budgetTokens: carriedTokens(ephemerals.contextLimit()),
    countTokens: (content) => estimateTokens([content]),
  });
  const tokensBefore = await estimateTokens(history);
  const going = plan.summarized.map((at) => history[at]!);
  const goingTokens = (await estimateTokens(going)) - (await estimateTokens([...carried.entries.values()]));
  if (goingTokens <= tokensBefore * MIN_SUMMARIZED_RATIO) {
    logger.debug('Too little to summarise', { strategy: options.strategy, goingTokens, tokensBefore });
    return result([...history], { context, options, plan, llmCallMade: false });
  }
  await options.pause();
  const snapshot = await writeSnapshot(context, { plan, options });
  const notes = summaryNotes({ snapshot, shortened: carried.shortened, transcriptPath: context.transcriptPath });
  const newHistory = assembled(history, { plan, carried, summary: snapshotEntry(snapshot.text, notes) });
  await options.pause();
  const tokensAfter = await estimateTokens(newHistory);
  if (tokensAfter > tokensBefore * (1 - MIN_SAVED_RATIO)) {
    throw new CompressionStrategyError(
      `Expected "${options.strategy}" to make ${counted(tokensBefore, 'token')} clearly fewer, got ${grouped(tokensAfter)}. The history is as it was.`,
      'SUMMARY_NOT_SMALLER',
      { strategy: options.strategy },
    );
  }
  return result(newHistory, { context, options, plan, llmCallMade: true });
}

interface Work {
  readonly plan: SummaryPlan;
  readonly options: SummarizingOptions;
}

/** A snapshot by the model. Unsupported claims are sent back to it once, and then corrected here. */
async function writeSnapshot(context: CompressionContext, { plan, options }: Work): Promise<MendedSnapshot> {
  const { strategy, pause } = options;
  const provider = context.resolveProvider(context.runtimeContext.ephemerals.compressionProfile?.());
  const matter = await matterOf(context, { plan, options });
  await pause();
  const answer = await askForSummary(provider, matter, context);
  await pause();
  const first = readSnapshot(answer.summary.text, { strategy, isTruncated: answer.summary.isTruncated });
  const unsupportedIn = (snapshot: string): Promise<Claim[]> =>
    unsupportedClaims(claimsOf(snapshot), {
      history: context.history,
      more: [matter.previousSnapshot, matter.closing],
      workspaceRoot: context.runtimeContext.workspaceRoot,
      pause,
    });
  const unsupported = await unsupportedIn(first);
  if (unsupported.length === 0) return { text: first, marked: 0, struck: 0 };
  context.logger.debug('The summary claims what the conversation does not say', { strategy, unsupported });
  const second = await askAgain(provider, { matter, answer, first, unsupported });
  if (second === undefined) return mendSnapshot(first, unsupported);
  const unsupportedNow = await unsupportedIn(second);
  const isBetter = unsupportedNow.length <= unsupported.length;
  return isBetter ? mendSnapshot(second, unsupportedNow) : mendSnapshot(first, unsupported);
}

/** The corrected snapshot; undefined when the model fails or the answer cannot be used, so the first one is kept. */
async function askAgain(
  provider: IProvider,
  {
    matter: { strategy, instructions },
    answer: { input, maxOutputTokens },
    first,
    unsupported,
  }: { matter: SummaryMatter; answer: Answer; first: string; unsupported: readonly Claim[] },
): Promise<string | undefined> {
  try {
    const outcome = await provider.summarize({
      instructions,
      input: `${input}\n\n${groundingRequest(first, unsupported)}`,
      maxOutputTokens,
    });
    return outcome.kind === 'summary' ? readSnapshot(outcome.text, { strategy, ...outcome }) : undefined;
  } catch {
    return undefined;
  }
}

async function matterOf(context: CompressionContext, { plan, options }: Work): Promise<SummaryMatter> {
  const { history, promptResolver, promptBaseDir, activeTodos } = context;
  const instructions = await promptResolver.resolve(COMPRESSION_PROMPT_ID, promptBaseDir).catch((error: unknown) => {
    throw new PromptResolutionError(COMPRESSION_PROMPT_ID, error);
  });
  const pieces: Piece[] = [];
  let units = 0;
  for (const at of plan.summarized) {
    for (const piece of piecesOf(history[at]!)) {
      pieces.push(piece);
      units += piece.text.length;
    }
    if (units < RENDERED_SLICE_UNITS) continue;
    units = 0;
    await options.pause();
  }
  const todos = todoList(activeTodos ?? []);
  const aboutTodos = `<active_todos>\n${todos}\n</active_todos>\nExplain the context behind each of these in <task_context>.`;
  const closing = 'Write the <state_snapshot> of the conversation above.';
  return {
    strategy: options.strategy,
    instructions,
    previousSnapshot: fenced(plan.snapshots.map((at) => snapshotText(history[at]!)).join('\n\n')),
    pieces,
    closing: todos === '' ? closing : `${aboutTodos}\n\n${closing}`,
  };
}

/** Kept entries and carried words in order, with the summary before the tail, never between a call and its result. */
function assembled(
  history: readonly IContent[],
  { plan, carried, summary }: { plan: SummaryPlan; carried: CarriedWords; summary: IContent },
): IContent[] {
  const indices = [...plan.kept, ...carried.entries.keys()].sort((left, right) => left - right);
  const entries = indices.map((at) => carried.entries.get(at) ?? history[at]!);
  const wanted = indices.filter((at) => at < plan.tailStart).length;
  return entries.toSpliced(pairSafeIndex(entries, wanted, { direction: 'earlier' }), 0, summary);
}

function result(
  newHistory: IContent[],
  { context: { history }, options, plan, llmCallMade }: Work & { context: CompressionContext; llmCallMade: boolean },
): CompressionResult {
  return {
    newHistory,
    metadata: {
      originalMessageCount: history.length,
      compressedMessageCount: newHistory.length,
      strategyUsed: options.strategy,
      llmCallMade,
      topPreserved: plan.topCount,
      bottomPreserved: plan.tailCount,
      middleCompressed: llmCallMade ? plan.summarized.length : 0,
    },
  };
}

const ACTIVE: readonly Todo['status'][] = ['in_progress', 'pending'];

/** The open todos as `- [status] text`, those in progress first; empty when there are none (REQ-HD-011.3; docs/readings.md, row 23). */
function todoList(todos: readonly Todo[]): string {
  return ACTIVE.flatMap((status) => todos.filter((todo) => todo.status === status))
    .map(({ status, content }) => `- [${status}] ${fenced(content)}`)
    .join('\n');
}
