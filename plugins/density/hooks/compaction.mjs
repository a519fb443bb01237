// Made from src/mod: `npx vitest run test/plugin/mod-file.test.ts -u` makes it again.
// src/durations.ts
const MINUTE_MS = 6e4;
const HOUR_MS = 60 * MINUTE_MS;
// src/mod/shown.ts
/** Under this share nothing is said in a quiet band. */
const MIN_STALE = 0.2;
const MAX_LINES = 20;
/** The id of the pane. */
const PANE = 'density';
const percent = (share) => `${Math.round(share * 100)}%`;
const short = (tokens) => (tokens < 1e6 ? `${Math.round(tokens / 1e3)}k` : `${Math.round(tokens / 1e5) / 10}M`);
const PLANS = {
  five_hour: '5 hours',
  seven_day: '7 days',
};
const planWords = ({ rateLimits }) =>
  rateLimits
    .filter(({ kind }) => kind in PLANS)
    .map(({ kind, percentUsed }) => `${Math.round(percentUsed)}% of ${PLANS[kind]}`);
/** The line of the band; empty: nothing is drawn. */
function bandText({ level, stale, removed }, usage) {
  const isWorthIt = removed !== void 0 || (stale !== void 0 && stale.removed >= MIN_STALE);
  if (level === 'off' || (level === 'quiet' && !isWorthIt)) return '';
  const { tokens, window } = usage.context;
  const plan = planWords(usage);
  return [
    'density',
    ...(tokens === void 0 ? [] : [`${percent(tokens / window)} of ${short(window)}`]),
    ...(stale === void 0 ? [] : [`${percent(stale.removed)} stale`]),
    ...(removed === void 0 ? [] : [`rules removed ${short(removed)}`]),
    ...(level === 'full' && plan.length > 0 ? [`plan ${plan.join(', ')}`] : []),
    '/density list',
  ].join(' · ');
}
function paneLines({ stale, why = [] }) {
  const now = stale?.why.slice(0, MAX_LINES) ?? [];
  const before = why.slice(0, MAX_LINES);
  const plainLine = (text) => ({
    text,
    isBold: false,
  });
  return [
    {
      text:
        stale === void 0 || now.length === 0
          ? 'Rules would remove nothing now.'
          : `Rules would remove ${percent(stale.removed)} now:`,
      isBold: true,
    },
    ...now.map(plainLine),
    {
      text: before.length === 0 ? 'Rules removed nothing in this run.' : 'The last compaction by rules removed:',
      isBold: true,
    },
    ...before.map(plainLine),
  ];
}
/** Draws what `state` says: a band above the prompt, and a pane with what rules removed and would remove now. */
function registerShown(on, state) {
  on('ui.render', { component: 'AbovePrompt' }, async ($, event, next) => {
    if (state.level === 'off' || event.props.hasSurvey) return next(event);
    const text = bandText(state, await $.session.usage());
    if (text === '') return next(event);
    const { Box, Text } = $.ui.resolve(event);
    return Box({
      children: [
        Text({
          dimColor: true,
          wrap: 'truncate-end',
          children: text,
        }),
      ],
    });
  });
  on('ui.render', { component: 'Pane' }, async ($, event, next) => {
    if (event.requestId !== 'density') return next(event);
    const { Box, Text } = $.ui.resolve(event);
    return Box({
      flexDirection: 'column',
      children: paneLines(state).map(({ text, isBold }) =>
        Text({
          bold: isBold,
          children: text,
        }),
      ),
    });
  });
}
// src/content/foreign-value.ts
/** True for a list; false if asking throws, as a revoked proxy does (REQ-HD-013.5). */
function isList(value) {
  try {
    return Array.isArray(value);
  } catch {
    return false;
  }
}
/** True for an object that is not a list: a value from outside whose fields can be asked for (REQ-HD-013.5). */
function isRecord(value) {
  return typeof value === 'object' && value !== null && !isList(value);
}
// src/mod/transcript.ts
/** Claude Code gives each block as a message: one of thinking has neither text nor calls. */
const isThinking = ({ role, text, toolUses }) => role === 'assistant' && text === '' && toolUses.length === 0;
/**
 * True if the turn is not over: the last answer has calls. Where such an answer had thinking, the model refuses every further
 * request without it ("a final `assistant` message must start with a thinking block").
 */
function isMidTurn(messages) {
  const answer = messages.findLast((message) => message.role === 'assistant' && !isThinking(message));
  return answer !== void 0 && answer.toolUses.length > 0;
}
/** A result without text that is stored in another form: a picture, or a document. Built again, it would be lost. */
const hasPicture = ({ toolResults = [] }) =>
  toolResults.some(
    ({ text, result }) => text === '' && isRecord(result) && result['type'] !== 'text' && result['file'] !== void 0,
  );
const callsIn = (messages) => messages.reduce((sum, { toolUses }) => sum + toolUses.length, 0);
/** What is enough for the rules: without the stored records, which can be larger than the texts. */
const plain = ({ role, text, toolUses, toolResults }) => ({
  role,
  text,
  toolUses: toolUses.map(({ tool_use_id, tool, input }) => ({
    tool_use_id,
    tool,
    input,
  })),
  toolResults: toolResults?.map(({ tool_use_id, text: shown, isError }) => ({
    tool_use_id,
    text: shown,
    isError,
  })),
});
/**
 * The transcript with these texts, by call. Answers and results are built again: with a handle, a resumed session has the old
 * results again. A message of a person keeps its handle, and so its pictures and reminders.
 */
function built(messages, texts) {
  const isKept = ({ role, toolResults = [] }) => role === 'user' && toolResults.length === 0;
  return messages
    .filter((message) => !isThinking(message))
    .map((message) => (isKept(message) ? message : withTexts(message, texts)));
}
function withTexts({ handle: _, ...message }, texts) {
  const withText = (one) => ({
    ...one,
    text: texts[one.tool_use_id] ?? one.text,
  });
  return {
    ...message,
    toolUses: message.toolUses.map(withText),
    ...(message.toolResults && { toolResults: message.toolResults.map(withText) }),
  };
}
// src/mod/by-rules.ts
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
/** The rules and the archive are those of the installed `density`, which runs as the hooks do. */
async function answerOf($, messages, asked) {
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
  return exitCode === 0 && stdout.trim() !== '' ? JSON.parse(stdout) : void 0;
}
/** The share of a transcript that is removed, and the share of the window that is left. */
async function sharesOf($, { tokensBefore, tokensAfter }) {
  const { window, tokens = tokensBefore } = (await $.session.usage()).context;
  return {
    removed: 1 - tokensAfter / tokensBefore,
    left: (tokens - (tokensBefore - tokensAfter)) / window,
  };
}
function redraw($, { isSeen }) {
  if (isSeen) $.ui.invalidate('ui.render');
}
/** What brings back all that rules removed. */
async function undone($, state, { messages }) {
  if (messages.some(isThinking) && isMidTurn(messages)) return { skip: 'density: the turn is not over yet.' };
  state.isUndoing = false;
  state.removed = void 0;
  const answer = await answerOf($, messages, { undo: true });
  if (answer === void 0) return { skip: 'density: there is nothing to bring back.' };
  const count = Object.keys(answer.texts).length;
  $.ui.log(`${count} ${count === 1 ? 'result is' : 'results are'} back.`);
  return { messages: built(messages, answer.texts) };
}
/** Nothing is in a prompt cache that a summary could read cheaply. */
const isCold = ({ answeredAt }) => answeredAt !== void 0 && Date.now() - answeredAt > COLD_MS;
/** Two compactions by rules were a few calls ago. */
const isSoonAfter = ({ counts }, calls) => counts.filter((count) => calls - count < SOON_CALLS).length >= 2;
/** What rules make of it, or what is left for the agent to summarise; `undefined`: all of it. */
async function compacted($, state, { messages }) {
  if (messages.some(hasPicture)) return void 0;
  const calls = callsIn(messages);
  const isSoon = isSoonAfter(state, calls);
  const hasThinking = messages.some(isThinking);
  if (hasThinking && !state.dropsThinking) $.ui.log(NO_THINKING);
  if (hasThinking && (!state.dropsThinking || isMidTurn(messages))) return void 0;
  const isPruned = isCold(state) && !hasThinking;
  if (isSoon && !isPruned) return void 0;
  const answer = await answerOf($, messages, {});
  if (answer === void 0) return void 0;
  const { removed, left } = await sharesOf($, answer);
  if (isSoon || removed < MIN_REMOVED || left >= MAX_LEFT)
    return isPruned ? { summarised: built(messages, answer.texts) } : void 0;
  state.counts.push(calls);
  state.why = answer.why;
  state.removed = (state.removed ?? 0) + answer.tokensBefore - answer.tokensAfter;
  state.stale = void 0;
  redraw($, state);
  $.ui.log(
    `${percent(removed)} removed by rules, no model was asked. "/density why" says what, "/density undo" brings it back.`,
  );
  return { messages: built(messages, answer.texts) };
}
/** What rules would remove now: a sentence, and each removal as a line. */
async function preview($, mostLines) {
  const answer = await answerOf($, await $.session.messages(), { trial: true });
  if (answer === void 0) return 'Rules would remove nothing.';
  const { removed, left } = await sharesOf($, answer);
  return [
    `Rules would remove ${percent(removed)} and leave ${percent(left)} of the window.`,
    ...answer.why.slice(0, mostLines),
  ].join('\n');
}
/** Counts what rules would remove now. */
async function countStale($, state) {
  const answer = await answerOf($, await $.session.messages(), { trial: true });
  state.stale =
    answer === void 0
      ? {
          removed: 0,
          left: 1,
          why: [],
        }
      : {
          ...(await sharesOf($, answer)),
          why: answer.why,
        };
  redraw($, state);
}
/** True if rules would remove enough for a compaction that nobody asked for. */
async function isIdleWorth($, state) {
  const messages = await $.session.messages();
  if (
    messages.some(hasPicture) ||
    (messages.some(isThinking) && !state.dropsThinking) ||
    isSoonAfter(state, callsIn(messages))
  )
    return false;
  const { turns } = state;
  await countStale($, state);
  return state.turns === turns && state.stale.removed >= MIN_REMOVED && state.stale.left < MAX_LEFT;
}
// src/mod/mod-state.ts
const LEVELS = ['off', 'quiet', 'full'];
const newState = () => ({
  isOff: false,
  dropsThinking: false,
  isUndoing: false,
  why: void 0,
  counts: [],
  answeredAt: void 0,
  level: 'off',
  isIdleOn: false,
  isSeen: false,
  stale: void 0,
  removed: void 0,
  cancelWait: () => {},
  isHourCache: true,
  turns: 0,
});
// src/mod/slash-command.ts
const MAX_WHY_LINES = 20;
const HELP =
  'preview | why | list | undo | off | on | show off | show quiet | show full | idle on | idle off | thinking drop | thinking keep';
/** Draws what was chosen, and keeps it for later sessions. */
async function keep($, state, key) {
  redraw($, state);
  await $.store.set(key, state[key]);
}
/** Opens the pane, or closes it. */
async function listed($, state) {
  if ((await $.ui.panes()).some(({ id }) => id === 'density')) {
    await $.ui.close({ id: PANE });
    return 'The list is closed.';
  }
  await countStale($, state);
  await $.ui.open({
    id: PANE,
    title: 'density',
    closeOnEscape: true,
  });
  return 'The list is in a pane. "/density list" closes it again.';
}
/** Does what a person types after `/density`, and returns what they read. */
async function slashCommand($, state, args) {
  const [word, choice] = args.trim().split(/\s+/);
  const level = LEVELS.find((one) => one === choice);
  if (word === 'show' && level !== void 0) {
    state.level = level;
    await keep($, state, 'level');
    return `The band above the prompt is ${level}.`;
  }
  if (word === 'idle' && (choice === 'on' || choice === 'off')) {
    state.isIdleOn = choice === 'on';
    await keep($, state, 'isIdleOn');
    return `Rules ${choice === 'on' ? 'compact' : 'do not compact'} while nothing runs.`;
  }
  switch (args.trim()) {
    case 'list':
      return listed($, state);
    case 'preview':
      return preview($, MAX_WHY_LINES);
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
// src/mod/register.ts
/** A cache of five minutes is cold then; in one of an hour, the agent would compact by itself soon after. */
const IDLE_MS = {
  fiveMinutes: 5 * MINUTE_MS,
  hour: 53 * MINUTE_MS,
};
/** What a compaction of this mod's own has as its instructions, for a person to read. */
const IDLE = 'by rules, while nothing runs';
/** Compacts by rules, by the agent's own command, if that is enough: a compaction that the mod starts itself passes its rules over. */
async function compactIdle($, state) {
  if (!state.isIdleOn || state.isOff) return;
  if (await isIdleWorth($, state))
    await $.command.run({
      command: 'compact',
      args: IDLE,
    });
}
/** After a turn: what is shown is counted, and the wait begins. */
function rested($, state, { usage }) {
  if ((usage?.ephemeral_1h_input_tokens ?? 0) > 0) state.isHourCache = true;
  else if ((usage?.ephemeral_5m_input_tokens ?? 0) > 0) state.isHourCache = false;
  const report = (error) => $.ui.log(`${error}`, { to: 'debug' });
  if (state.level !== 'off') countStale($, state).catch(report);
  if (!state.isIdleOn || state.isOff) return;
  const wait = $.clock.after(state.isHourCache ? IDLE_MS.hour : IDLE_MS.fiveMinutes, () => {
    compactIdle($, state).catch(report);
  });
  state.cancelWait = () => wait.cancel();
}
/** What earlier sessions chose. */
async function readChosen($, state) {
  const level = await $.store.get('level');
  state.level = LEVELS.find((one) => one === level) ?? state.level;
  state.isIdleOn = (await $.store.get('isIdleOn')) === true;
}
/**
 * A mod of Claude Code: a compaction prunes by rules first, and asks a model only if that is not enough. Whatever fails here, the
 * agent compacts as without it.
 */
function register(on) {
  const state = newState();
  on('session.start', async ($, event, next) => {
    const started = await next(event);
    await $.command.register({
      name: 'density',
      description: 'Compaction by rules: preview, why, list, undo, off, on',
      argumentHint: 'preview | why | list | undo | off | on | show | idle',
    });
    state.isSeen = (await $.session.surfaces()).length > 0;
    if (state.isSeen) await readChosen($, state);
    return started;
  });
  on('command.run', async ($, event, next) =>
    event.command === 'density' ? { text: await slashCommand($, state, event.args) } : next(event),
  );
  on('turn.start', async (_$, event, next) => {
    if (event.agentId === void 0) {
      state.turns++;
      state.cancelWait();
    }
    return next(event);
  });
  on('turn.complete', async ($, event, next) => {
    const completed = await next(event);
    if (event.agentId !== void 0) return completed;
    state.answeredAt = Date.now();
    if (state.isUndoing)
      try {
        await $.session.compact();
      } catch (error) {
        $.ui.log(`/compact brings it back; here it cannot be done, because ${error}`);
      }
    if (state.isSeen) rested($, state, event);
    return completed;
  });
  on('session.compact', async ($, event, next) => {
    const isUndo = state.isUndoing && event.trigger !== 'auto';
    const isIdle = event.instructions === IDLE;
    if (event.agentId !== void 0 || event.trigger === 'precompute' || (state.isOff && !isUndo && !isIdle))
      return next(event);
    let outcome;
    try {
      outcome = isUndo ? await undone($, state, event) : await compacted($, state, event);
    } catch (error) {
      $.ui.log(`The agent compacts as without it, because ${error}`);
    }
    const isByRules = outcome !== void 0 && 'messages' in outcome;
    if (isIdle && !isByRules) return { skip: 'density: rules cannot compact it now.' };
    if (outcome !== void 0 && 'summarised' in outcome)
      return next({
        ...event,
        messages: outcome.summarised,
      });
    return outcome ?? next(event);
  });
  registerShown(on, state);
}

export { register };
