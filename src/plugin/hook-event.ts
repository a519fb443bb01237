import { asText, isRecord } from '../content/foreign-value.ts';

/**
 * What an agent says to a hook, in the names that Claude Code and Codex share.
 * Source: https://code.claude.com/docs/en/hooks and https://developers.openai.com/codex/hooks
 */
export interface HookEvent {
  readonly name: string;
  readonly session: string;
  /** Absent for the main conversation. */
  readonly agentId: string | undefined;
  /** The recorded session; empty if there is none. */
  readonly transcript: string;
  /** The folder in which the agent works. */
  readonly cwd: string;
  /** True for Codex, whose events belong to a turn. */
  readonly isOfCodex: boolean;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A session's id becomes a file name. */
const ID = /^[\w-]{1,100}$/;

/** @throws Error if the text is no event of a hook. */
export function hookEvent(text: string): HookEvent {
  const fields: unknown = JSON.parse(text);
  if (!isRecord(fields)) throw new Error('Expected a JSON object on standard input.');
  const { hook_event_name: name, session_id: session, agent_id: agentId, transcript_path: transcript, cwd } = fields;
  if (typeof name !== 'string') throw new Error('Expected a hook_event_name.');
  if (typeof session !== 'string' || !ID.test(session)) throw new Error('Expected a session_id.');
  if (agentId !== undefined && (typeof agentId !== 'string' || !ID.test(agentId)))
    throw new Error('Expected an agent_id.');
  const isOfCodex = typeof fields['turn_id'] === 'string';
  return { name, session, agentId, transcript: asText(transcript), cwd: asText(cwd), isOfCodex, fields };
}

/** True for an agent whose definition may leave out tools of the session: a subagent, or the agent of `claude --agent`. */
export const mayLackTools = ({ agentId, fields }: HookEvent): boolean =>
  agentId !== undefined || fields['agent_type'] !== undefined;

/** The answer to `PreToolUse` by which a call is not run, as Claude Code and Codex read it. */
export const deniedFor = (reason: string): object => ({
  hookSpecificOutput: {
    hookEventName: 'PreToolUse',
    permissionDecision: 'deny',
    permissionDecisionReason: reason,
  },
});
