import { HOUR_MS } from '../../durations.ts';
import type { Branch } from '../conversation/branch.ts';

/** The name in the list of frozen forms of the lifetime that marks have in place of the agent's. */
export const LIFETIME_STEP = 'cache lifetime';

/** How long the requests of a conversation ask for their prompt to be kept; `undefined` if they do not say. */
export const askedLifetimeMs = ({ lifetimeMs, decisions }: Pick<Branch, 'lifetimeMs' | 'decisions'>) =>
  decisions.results.get(LIFETIME_STEP)?.text === '1h' ? HOUR_MS : lifetimeMs;
