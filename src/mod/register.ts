import { MINUTE_MS } from '../durations.ts';
import type { Agent, On, TurnEvent } from './agent.ts';
import { compacted, countStale, isIdleWorth, undone } from './by-rules.ts';
import { LEVELS, type ModState, newState } from './mod-state.ts';
import { registerShown } from './shown.ts';
import { slashCommand } from './slash-command.ts';

/** A cache of five minutes is cold then; in one of an hour, the agent would compact by itself soon after. */
const IDLE_MS = { fiveMinutes: 5 * MINUTE_MS, hour: 53 * MINUTE_MS };
/** What a compaction of this mod's own has as its instructions, for a person to read. */
const IDLE = 'by rules, while nothing runs';

/** Compacts by rules, by the agent's own command, if that is enough: a compaction that the mod starts itself passes its rules over. */
async function compactIdle($: Agent, state: ModState): Promise<void> {
  if (!state.isIdleOn || state.isOff) return;
  if (await isIdleWorth($, state)) await $.command.run({ command: 'compact', args: IDLE });
}

/** After a turn: what is shown is counted, and the wait begins. */
function rested($: Agent, state: ModState, { usage }: TurnEvent): void {
  if ((usage?.ephemeral_1h_input_tokens ?? 0) > 0) state.isHourCache = true;
  else if ((usage?.ephemeral_5m_input_tokens ?? 0) > 0) state.isHourCache = false;
  const report = (error: unknown): void => $.ui.log(`${error}`, { to: 'debug' });
  if (state.level !== 'off') countStale($, state).catch(report);
  if (!state.isIdleOn || state.isOff) return;
  const wait = $.clock.after(state.isHourCache ? IDLE_MS.hour : IDLE_MS.fiveMinutes, () => {
    compactIdle($, state).catch(report);
  });
  state.cancelWait = () => wait.cancel();
}

/** What earlier sessions chose. */
async function readChosen($: Agent, state: ModState): Promise<void> {
  const level = await $.store.get('level');
  state.level = LEVELS.find((one) => one === level) ?? state.level;
  state.isIdleOn = (await $.store.get('isIdleOn')) === true;
}

/**
 * A mod of Claude Code: a compaction prunes by rules first, and asks a model only if that is not enough. Whatever fails here, the
 * agent compacts as without it.
 */
export function register(on: On): void {
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
    if (event.agentId === undefined) {
      state.turns++;
      state.cancelWait();
    }
    return next(event);
  });
  on('turn.complete', async ($, event, next) => {
    const completed = await next(event);
    if (event.agentId !== undefined) return completed;
    state.answeredAt = Date.now();
    if (state.isUndoing) {
      try {
        await $.session.compact();
      } catch (error) {
        $.ui.log(`/compact brings it back; here it cannot be done, because ${error}`);
      }
    }
    if (state.isSeen) rested($, state, event);
    return completed;
  });
  on('session.compact', async ($, event, next) => {
    // In a turn nothing may come back: the window is full.
    const isUndo = state.isUndoing && event.trigger !== 'auto';
    const isIdle = event.instructions === IDLE;
    const isIgnored = event.agentId !== undefined || event.trigger === 'precompute';
    if (isIgnored || (state.isOff && !isUndo && !isIdle)) return next(event);
    let outcome: Awaited<ReturnType<typeof compacted>>;
    try {
      outcome = isUndo ? await undone($, state, event) : await compacted($, state, event);
    } catch (error) {
      $.ui.log(`The agent compacts as without it, because ${error}`);
    }
    const isByRules = outcome !== undefined && 'messages' in outcome;
    if (isIdle && !isByRules) return { skip: 'density: rules cannot compact it now.' };
    if (outcome !== undefined && 'summarised' in outcome) return next({ ...event, messages: outcome.summarised });
    return outcome ?? next(event);
  });
  registerShown(on, state);
}
