// A mod of Claude Code: a compaction prunes by rules first, and asks a model only if that is not enough. Rules and archive are those of
// the installed `density`, which runs as the hooks do. Whatever fails here, the agent compacts as without it.

import { LEVELS, PANE, percent, registerShown } from './shown.mjs';

/** Less than this share of the window may be left, and at least that share must be removed. */
const MAX_LEFT = 0.6;
const MIN_REMOVED = 0.2;
/** After two compactions by rules within so many calls, the agent summarises. */
const SOON_CALLS = 20;
/** After this time no prompt cache has the conversation: then a summary of the pruned transcript costs less. */
const COLD_MS = 60 * 60_000;
const RUN_MS = 60_000;
const MAX_WHY_LINES = 20;

/** A cache of five minutes is cold then; in one of an hour, the agent would compact by itself soon after. */
const IDLE_MS = { fiveMinutes: 5 * 60_000, hour: 53 * 60_000 };
/** What a compaction of this mod's own has as its instructions, for a person to read. */
const IDLE = 'by rules, while nothing runs';

const HELP =
  'preview | why | list | undo | off | on | show off | show quiet | show full | idle on | idle off | thinking drop | thinking keep';
const NO_THINKING =
  'The conversation has thinking, which rules cannot keep. The agent summarises. "/density thinking drop" lets rules compact without it.';

/** Of this session, in this process. */
const state = {
  ...{ isOff: false, dropsThinking: false, isUndoing: false, why: undefined, counts: [] },
  /** When the last turn ended. */
  answeredAt: undefined,
  /** What is drawn, and whether rules compact while nothing runs. Both are kept for later sessions. */
  ...{ level: 'off', isIdleOn: false },
  /** False where nothing is drawn and nobody waits: in print mode. */
  isSeen: false,
  /** What rules would remove now: its share, and the reasons. */
  stale: undefined,
  /** Tokens that rules removed. */
  removed: undefined,
  /** Of the wait while nothing runs. */
  wait: undefined,
  ...{ isHourCache: true, turns: 0 },
};

/** Claude Code gives each block as a message: one of thinking has neither text nor calls. */
const isThinking = ({ role, text, toolUses }) => role === 'assistant' && text === '' && toolUses.length === 0;

/**
 * True if the turn is not over: the last answer has calls. Where such an answer had thinking, the model refuses every further
 * request without it ("a final `assistant` message must start with a thinking block").
 */
const isMidTurn = (messages) =>
  messages.findLast((message) => message.role === 'assistant' && !isThinking(message))?.toolUses.length > 0;

/** A result without text that is stored in another form: a picture, or a document. Built anew, it would be lost. */
const hasPicture = ({ toolResults = [] }) =>
  toolResults.some(
    ({ text, result }) =>
      text === '' && typeof result === 'object' && result?.type !== 'text' && result?.file !== undefined,
  );

const callsIn = (messages) => messages.reduce((sum, { toolUses }) => sum + toolUses.length, 0);

/** What is enough for the rules: without the stored records, which can be larger than the texts. */
const plain = ({ role, text, toolUses, toolResults }) => ({
  role,
  text,
  toolUses: toolUses.map(({ tool_use_id, tool, input }) => ({ tool_use_id, tool, input })),
  toolResults: toolResults?.map(({ tool_use_id, text: shown, isError }) => ({ tool_use_id, text: shown, isError })),
});

/**
 * The transcript with these texts. Answers and results are built anew: with a handle, a resumed session has the old results
 * again. A message of a person keeps its handle, and so its pictures and reminders.
 */
function built(messages, texts) {
  const textOf = (id, text) => texts[id] ?? text;
  const isKept = ({ role, toolResults }) => role === 'user' && !toolResults?.length;
  const withTexts = ({ handle, ...message }) => ({
    ...message,
    toolUses: message.toolUses.map((use) => ({ ...use, text: textOf(use.tool_use_id, use.text) })),
    ...(message.toolResults && {
      toolResults: message.toolResults.map((one) => ({ ...one, text: textOf(one.tool_use_id, one.text) })),
    }),
  });
  return messages
    .filter((message) => !isThinking(message))
    .map((message) => (isKept(message) ? message : withTexts(message)));
}

async function answerOf($, messages, how) {
  const [session_id, cwd, model] = [await $.session.id(), await $.session.cwd(), await $.session.model()];
  const event = { hook_event_name: 'SessionCompact', session_id, cwd, model, messages: messages.map(plain), ...how };
  const { exitCode, stdout } = await $.process.run(['node', `${$.plugin.root}/density.mjs`, 'hook'], {
    stdin: JSON.stringify(event),
    timeoutMs: RUN_MS,
  });
  return exitCode === 0 && stdout.trim() !== '' ? JSON.parse(stdout) : undefined;
}

const redraw = ($) => state.isSeen && $.ui.invalidate('ui.render');

/** The share of a transcript that is removed, and the share of the window that is left. */
async function sharesOf($, { tokensBefore, tokensAfter }) {
  const { window, tokens = tokensBefore } = (await $.session.usage()).context;
  const removed = 1 - tokensAfter / tokensBefore;
  return { removed, left: (tokens - (tokensBefore - tokensAfter)) / window };
}

/** What brings back all that rules removed. */
async function undone($, { messages }) {
  if (messages.some(isThinking) && isMidTurn(messages)) return { skip: 'density: the turn is not over yet.' };
  state.isUndoing = false;
  state.removed = undefined;
  const answer = await answerOf($, messages, { undo: true });
  if (answer === undefined) return { skip: 'density: there is nothing to bring back.' };
  $.ui.log(`${Object.keys(answer.texts).length} results are back.`);
  return { messages: built(messages, answer.texts) };
}

/** Nothing is in a prompt cache that a summary could read cheaply. */
const isCold = () => state.answeredAt !== undefined && Date.now() - state.answeredAt > COLD_MS;

/** Two compactions by rules were a few calls ago. */
const isSoonAfter = (calls) => state.counts.filter((count) => calls - count < SOON_CALLS).length >= 2;

/** What rules make of it, or what is left for the agent to summarise; `undefined`: all of it. */
async function compacted($, { messages }) {
  if (messages.some(hasPicture)) return undefined;
  const calls = callsIn(messages);
  const isSoon = isSoonAfter(calls);
  const hasThinking = messages.some(isThinking);
  if (hasThinking && !state.dropsThinking) $.ui.log(NO_THINKING);
  if (hasThinking && (!state.dropsThinking || isMidTurn(messages))) return undefined;
  const isPruned = isCold() && !hasThinking;
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
  redraw($);
  $.ui.log(
    `${percent(removed)} removed by rules, no model was asked. "/density why" says what, "/density undo" brings it back.`,
  );
  return { messages: built(messages, answer.texts) };
}

async function preview($) {
  const answer = await answerOf($, await $.session.messages(), { trial: true });
  if (answer === undefined) return 'Rules would remove nothing.';
  const { removed, left } = await sharesOf($, answer);
  const head = `Rules would remove ${percent(removed)} and leave ${percent(left)} of the window.`;
  return [head, ...answer.why.slice(0, MAX_WHY_LINES)].join('\n');
}

/** Counts what rules would remove now. */
async function countStale($) {
  const answer = await answerOf($, await $.session.messages(), { trial: true });
  state.stale = { removed: 0, why: [], ...(answer && { ...(await sharesOf($, answer)), why: answer.why }) };
  redraw($);
}

/** Compacts by rules, by the agent's own command, if that is enough: a compaction that the mod starts itself passes its rules over. */
async function compactIdle($) {
  const messages = await $.session.messages();
  const isLost = messages.some(hasPicture) || (messages.some(isThinking) && !state.dropsThinking);
  if (!state.isIdleOn || state.isOff || isLost || isSoonAfter(callsIn(messages))) return;
  const { turns } = state;
  await countStale($);
  const { removed, left } = state.stale;
  if (state.turns === turns && removed >= MIN_REMOVED && left < MAX_LEFT)
    await $.command.run({ command: 'compact', args: IDLE });
}

/** After a turn: what is shown is counted, and the wait begins. */
function rested($, { usage }) {
  if (usage?.ephemeral_1h_input_tokens > 0) state.isHourCache = true;
  else if (usage?.ephemeral_5m_input_tokens > 0) state.isHourCache = false;
  const report = (error) => $.ui.log(`${error}`, { to: 'debug' });
  if (state.level !== 'off') countStale($).catch(report);
  if (!state.isIdleOn || state.isOff) return;
  state.wait = $.clock.after(state.isHourCache ? IDLE_MS.hour : IDLE_MS.fiveMinutes, () =>
    compactIdle($).catch(report),
  );
}

async function chosen($, key, value) {
  state[key] = value;
  redraw($);
  await $.store.set(key, value);
}

/** Opens the pane, or closes it. */
async function listed($) {
  if ((await $.ui.panes()).some(({ id }) => id === PANE)) {
    await $.ui.close({ id: PANE });
    return 'The list is closed.';
  }
  await countStale($);
  await $.ui.open({ id: PANE, title: 'density', closeOnEscape: true });
  return 'The list is in a pane. "/density list" closes it again.';
}

async function said($, args) {
  const [word, choice] = args.trim().split(/\s+/);
  if (word === 'show' && LEVELS.includes(choice)) {
    await chosen($, 'level', choice);
    return `The band above the prompt is ${choice}.`;
  }
  if (word === 'idle' && (choice === 'on' || choice === 'off')) {
    await chosen($, 'isIdleOn', choice === 'on');
    return `Rules ${choice === 'on' ? 'compact' : 'do not compact'} while nothing runs.`;
  }
  switch (args.trim()) {
    case 'list':
      return listed($);
    case 'preview':
      return preview($);
    case 'why':
      return state.why?.slice(0, MAX_WHY_LINES).join('\n') ?? 'Nothing was compacted by rules in this run.';
    case 'undo':
      state.isUndoing = true;
      return 'What rules removed comes back at the end of the next turn, or with /compact.';
    case 'off':
    case 'on':
      state.isOff = args.trim() === 'off';
      return `Compaction by rules is ${args.trim()} for this session.`;
    case 'thinking drop':
    case 'thinking keep':
      state.dropsThinking = args.trim() === 'thinking drop';
      return `Compaction by rules ${state.dropsThinking ? 'leaves thinking out' : 'does not run where there is thinking'}.`;
    default:
      return HELP;
  }
}

export function register(on) {
  on('session.start', async ($, e, next) => {
    const started = await next(e);
    await $.command.register({
      name: 'density',
      description: 'Compaction by rules: preview, why, list, undo, off, on',
      argumentHint: 'preview | why | list | undo | off | on | show | idle',
    });
    state.isSeen = (await $.session.surfaces()).length > 0;
    for (const key of state.isSeen ? ['level', 'isIdleOn'] : []) state[key] = (await $.store.get(key)) ?? state[key];
    return started;
  });
  on('command.run', async ($, e, next) => (e.command === 'density' ? { text: await said($, e.args) } : next(e)));
  on('turn.start', async (_$, e, next) => {
    if (e.agentId === undefined) {
      state.turns++;
      state.wait?.cancel();
    }
    return next(e);
  });
  on('turn.complete', async ($, e, next) => {
    const completed = await next(e);
    if (e.agentId === undefined) state.answeredAt = Date.now();
    if (state.isUndoing && e.agentId === undefined) {
      try {
        await $.session.compact();
      } catch (error) {
        $.ui.log(`/compact brings it back; here it cannot be done, because ${error}`);
      }
    }
    if (state.isSeen && e.agentId === undefined) rested($, e);
    return completed;
  });
  on('session.compact', async ($, e, next) => {
    // In a turn nothing may come back: the window is full.
    const isUndo = state.isUndoing && e.trigger !== 'auto';
    const isIdle = e.instructions === IDLE;
    if ((state.isOff && !isUndo && !isIdle) || e.agentId !== undefined || e.trigger === 'precompute') return next(e);
    let result;
    try {
      result = isUndo ? await undone($, e) : await compacted($, e);
    } catch (error) {
      $.ui.log(`The agent compacts as without it, because ${error}`);
    }
    if (isIdle) return result?.messages ? result : { skip: 'density: rules cannot compact it now.' };
    if (result?.summarised !== undefined) return next({ ...e, messages: result.summarised });
    return result ?? next(e);
  });
  registerShown(on, state);
}
