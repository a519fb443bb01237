// A mod of Claude Code: a compaction prunes by rules first, and asks a model only if that is not enough. Rules and archive are those of
// the installed `density`, which runs as the hooks do. Whatever fails here, the agent compacts as without it.

/** Less than this share of the window may be left, and at least that share must be removed. */
const MAX_LEFT = 0.6;
const MIN_REMOVED = 0.2;
/** After two compactions by rules within so many calls, the agent summarises. */
const SOON_CALLS = 20;
/** After this time no prompt cache has the conversation: then a summary of the pruned transcript costs less. */
const COLD_MS = 60 * 60_000;
const RUN_MS = 60_000;
const MAX_WHY_LINES = 20;

const HELP = 'preview | why | undo | off | on | thinking drop | thinking keep';
const NO_THINKING =
  'density: the conversation has thinking, which rules cannot keep. The agent summarises. "/density thinking drop" lets rules compact without it.';

/** Of this session, in this process. */
const state = {
  ...{ isOff: false, dropsThinking: false, isUndoing: false, why: undefined, counts: [] },
  /** When the last turn ended. */
  answeredAt: undefined,
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

/** The share of a transcript that is removed, and the share of the window that is left. */
async function sharesOf($, { tokensBefore, tokensAfter }) {
  const { window, tokens = tokensBefore } = (await $.session.usage()).context;
  const removed = 1 - tokensAfter / tokensBefore;
  return { removed, left: (tokens - (tokensBefore - tokensAfter)) / window };
}

const percent = (share) => `${Math.round(share * 100)}%`;

/** What brings back all that rules removed. */
async function undone($, { messages }) {
  if (messages.some(isThinking) && isMidTurn(messages)) return { skip: 'density: the turn is not over yet.' };
  state.isUndoing = false;
  const answer = await answerOf($, messages, { undo: true });
  if (answer === undefined) return { skip: 'density: there is nothing to bring back.' };
  $.ui.log(`density: ${Object.keys(answer.texts).length} results are back.`);
  return { messages: built(messages, answer.texts) };
}

/** Nothing is in a prompt cache that a summary could read cheaply. */
const isCold = () => state.answeredAt !== undefined && Date.now() - state.answeredAt > COLD_MS;

/** What rules make of it, or what is left for the agent to summarise; `undefined`: all of it. */
async function compacted($, { messages }) {
  if (messages.some(hasPicture)) return undefined;
  const calls = callsIn(messages);
  const isSoon = state.counts.filter((count) => calls - count < SOON_CALLS).length >= 2;
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
  $.ui.log(
    `density: ${percent(removed)} removed by rules, no model was asked. "/density why" says what, "/density undo" brings it back.`,
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

async function said($, args) {
  switch (args.trim()) {
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
      description: 'Compaction by rules: preview, why, undo, off, on',
      argumentHint: 'preview | why | undo | off | on',
    });
    return started;
  });
  on('command.run', async ($, e, next) => (e.command === 'density' ? { text: await said($, e.args) } : next(e)));
  on('turn.complete', async ($, e, next) => {
    const completed = await next(e);
    if (e.agentId === undefined) state.answeredAt = Date.now();
    if (state.isUndoing && e.agentId === undefined) {
      try {
        await $.session.compact();
      } catch (error) {
        $.ui.log(`density: /compact brings it back; here it cannot be done, because ${error}`);
      }
    }
    return completed;
  });
  on('session.compact', async ($, e, next) => {
    // In a turn nothing may come back: the window is full.
    const isUndo = state.isUndoing && e.trigger !== 'auto';
    if ((state.isOff && !isUndo) || e.agentId !== undefined || e.trigger === 'precompute') return next(e);
    let result;
    try {
      result = isUndo ? await undone($, e) : await compacted($, e);
    } catch (error) {
      $.ui.log(`density: the agent compacts as without it, because ${error}`);
    }
    if (result?.summarised !== undefined) return next({ ...e, messages: result.summarised });
    return result ?? next(e);
  });
}
