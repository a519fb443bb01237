import type { FoundSession } from '../../../../sessions/places/session-places.ts';

/** Agents whose command resumes a session by its id. */
const RESUMING_AGENTS = ['Claude Code', 'Codex', 'Gemini CLI', 'opencode', 'pi'];

/** True for a session that `density optimize --start` can go on with. */
export const isResumable = ({ agent, problem }: FoundSession): boolean =>
  RESUMING_AGENTS.includes(agent) && problem === undefined;
