import { HOUR_MS, MINUTE_MS } from '../durations.ts';
import type { CompactionAnswer } from '../plugin/compaction/compaction.ts';
import type { Agent, CompactEvent, CompactOutcome, TranscriptMessage } from './agent.ts';
import type { ModState } from './mod-state.ts';
import { percent } from './shown.ts';
import { built, callsIn, hasPicture, isMidTurn, isThinking, plain } from './transcript.ts';

/** Less than this share of the window may be left, and at least that share must be removed. */
const MAX_LEFT = 0.6;
const MIN_REMOVED = 0.2;
/** After two compactions by rules within so many calls, the agent summarises. */
const SOON_CALLS = 20;
/** After this time no prompt cache has the conversation: then a summary of the pruned transcript costs less. */
const COLD_MS = HOUR_MS;
const RUN_MS = MINUTE_MS;

const NO_THINKING =
  'The conversation has thinking, which rules cannot keep. The agent summarises. "/density thinking drop" lets rules compact without it.';

/** `trial`: nothing is kept. `undo`: what was removed. */
interface Asked {
  readonly trial?: true;
  readonly undo?: true;
}

/** The rules and the archive are those of the installed `density`, which runs as the hooks do. */
async function answerOf(
  $: Agent,
  messages: readonly TranscriptMessage[],
  asked: Asked,
): Promise<CompactionAnswer | undefined> {
  const event = {
    hook_event_name: 'SessionCompact',
    session_id: await $.session.id(),
    cwd: await $.session.cwd(),
    model: await $.session.model(),
    messages: messages.map(plain),
    ...asked,
  };
  const { exitCode, stdout } = await $.process.run(['node', `${$.plugin.root}/density.mjs`, 'hook'], {
    stdin: JSON.stringify(event),
    timeoutMs: RUN_MS,
  });
  return exitCode === 0 && stdout.trim() !== '' ? (JSON.parse(stdout) as CompactionAnswer) : undefined;
}

/** The share of a transcript that is removed, and the share of the window that is left. */
async function sharesOf(
  $: Agent,
  { tokensBefore, tokensAfter }: CompactionAnswer,
): Promise<{ readonly removed: number; readonly left: number }> {
  const { window, tokens = tokensBefore } = (await $.session.usage()).context;
  const removed = 1 - tokensAfter / tokensBefore;
  return { removed, left: (tokens - (tokensBefore - tokensAfter)) / window };
}

export function redraw($: Agent, { isSeen }: ModState): void {
  if (isSeen) $.ui.invalidate('ui.render');
}

/** What brings back all that rules removed. */
export async function undone($: Agent, state: ModState, { messages }: CompactEvent): Promise<CompactOutcome> {
  if (messages.some(isThinking) && isMidTurn(messages)) return { skip: 'density: the turn is not over yet.' };
  state.isUndoing = false;
  state.removed = undefined;
  const answer = await answerOf($, messages, { undo: true });
  if (answer === undefined) return { skip: 'density: there is nothing to bring back.' };
  const count = Object.keys(answer.texts).length;
  $.ui.log(`${count} ${count === 1 ? 'result is' : 'results are'} back.`);
  return { messages: built(messages, answer.texts) };
}

/** Nothing is in a prompt cache that a summary could read cheaply. */
const isCold = ({ answeredAt }: ModState): boolean => answeredAt !== undefined && Date.now() - answeredAt > COLD_MS;

/** Two compactions by rules were a few calls ago. */
const isSoonAfter = ({ counts }: ModState, calls: number): boolean =>
  counts.filter((count) => calls - count < SOON_CALLS).length >= 2;

/** What is left for the agent to summarise. */
interface Summarised {
  readonly summarised: readonly TranscriptMessage[];
}

/** What rules make of it, or what is left for the agent to summarise; `undefined`: all of it. */
export async function compacted(
  $: Agent,
  state: ModState,
  { messages }: CompactEvent,
): Promise<CompactOutcome | Summarised | undefined> {
  if (messages.some(hasPicture)) return undefined;
  const calls = callsIn(messages);
  const isSoon = isSoonAfter(state, calls);
  const hasThinking = messages.some(isThinking);
  if (hasThinking && !state.dropsThinking) $.ui.log(NO_THINKING);
  if (hasThinking && (!state.dropsThinking || isMidTurn(messages))) return undefined;
  const isPruned = isCold(state) && !hasThinking;
  if (isSoon && !isPruned) return undefined;
  const answer = await answerOf($, messages, {});
  if (answer === undefined) return undefined;
  const { removed, left } = await sharesOf($, answer);
  if (isSoon || removed < MIN_REMOVED || left >= MAX_LEFT)
    return isPruned ? { summarised: built(messages, answer.texts) } : undefined;
  state.counts.push(calls);
  state.why = answer.why;
  state.removed = (state.removed ?? 0) + answer.tokensBefore - answer.tokensAfter;
  state.stale = undefined;
  redraw($, state);
  $.ui.log(
    `${percent(removed)} removed by rules, no model was asked. "/density why" says what, "/density undo" brings it back.`,
  );
  return { messages: built(messages, answer.texts) };
}

/** What rules would remove now: a sentence, and each removal as a line. */
export async function preview($: Agent, mostLines: number): Promise<string> {
  const answer = await answerOf($, await $.session.messages(), { trial: true });
  if (answer === undefined) return 'Rules would remove nothing.';
  const { removed, left } = await sharesOf($, answer);
  const head = `Rules would remove ${percent(removed)} and leave ${percent(left)} of the window.`;
  return [head, ...answer.why.slice(0, mostLines)].join('\n');
}

/** Counts what rules would remove now. */
export async function countStale($: Agent, state: ModState): Promise<void> {
  const answer = await answerOf($, await $.session.messages(), { trial: true });
  state.stale =
    answer === undefined ? { removed: 0, left: 1, why: [] } : { ...(await sharesOf($, answer)), why: answer.why };
  redraw($, state);
}

/** True if rules would remove enough for a compaction that nobody asked for. */
export async function isIdleWorth($: Agent, state: ModState): Promise<boolean> {
  const messages = await $.session.messages();
  const isLost = messages.some(hasPicture) || (messages.some(isThinking) && !state.dropsThinking);
  if (isLost || isSoonAfter(state, callsIn(messages))) return false;
  const { turns } = state;
  await countStale($, state);
  return state.turns === turns && state.stale!.removed >= MIN_REMOVED && state.stale!.left < MAX_LEFT;
}
