import type { Agent } from './agent.ts';
import { countStale, preview, redraw } from './by-rules.ts';
import { LEVELS, type ModState } from './mod-state.ts';
import { PANE } from './shown.ts';

const MAX_WHY_LINES = 20;
const HELP =
  'preview | why | list | undo | off | on | show off | show quiet | show full | idle on | idle off | thinking drop | thinking keep';

/** Draws what was chosen, and keeps it for later sessions. */
async function keep($: Agent, state: ModState, key: 'level' | 'isIdleOn'): Promise<void> {
  redraw($, state);
  await $.store.set(key, state[key]);
}

/** Opens the pane, or closes it. */
async function listed($: Agent, state: ModState): Promise<string> {
  if ((await $.ui.panes()).some(({ id }) => id === PANE)) {
    await $.ui.close({ id: PANE });
    return 'The list is closed.';
  }
  await countStale($, state);
  await $.ui.open({ id: PANE, title: 'density', closeOnEscape: true });
  return 'The list is in a pane. "/density list" closes it again.';
}

/** Does what a person types after `/density`, and returns what they read. */
export async function slashCommand($: Agent, state: ModState, args: string): Promise<string> {
  const [word, choice] = args.trim().split(/\s+/);
  const level = LEVELS.find((one) => one === choice);
  if (word === 'show' && level !== undefined) {
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
