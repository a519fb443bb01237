import { counted } from '../content/counted.ts';
import { MINUTE_MS } from '../durations.ts';
import { SESSION_LENGTHS } from './session-lengths.ts';

/** How many more calls can be expected, and where that is known from. */
export interface FurtherCalls {
  readonly calls: number;
  readonly source: string;
}

/**
 * The share of calls that come at least so many minutes after the previous one.
 * Source: 6,897 calls with times, in recorded sessions of Claude Code, Codex, opencode and pi, 2026-11-22.
 */
const LATE_CALLS: readonly (readonly [minutes: number, ratio: number])[] = [
  [60, 0.0093],
  [30, 0.0141],
  [10, 0.0236],
  [5, 0.0336],
];

/** The recorded sessions. */
const SESSIONS = SESSION_LENGTHS.flatMap(({ calls, ...row }) => calls.map((all) => ({ ...row, calls: all })));

/** Fewer sessions say too little about an agent; then those of all agents count. */
const MIN_SESSIONS = 10;

export interface FurtherCallsOptions {
  /** The name of the agent's session format; any other name counts as unknown. */
  readonly agent?: string | undefined;
  /** Calls of the session so far. */
  readonly callsMade: number;
  /** Lifetime of the prompt cache. */
  readonly lifetimeMs: number;
  /** A repository whose sessions do not count: the one of the session that is judged. */
  readonly exceptRepository?: string | undefined;
}

/**
 * The calls to expect before a session ends or its prompt cache expires, because then everything is written again and a
 * change is free: the mean of the recorded sessions that were longer than this one is now. Most sessions end earlier, so
 * that `decide` also limits what can be lost. Linear in recorded sessions.
 */
export function furtherCalls({ agent, callsMade, lifetimeMs, exceptRepository }: FurtherCallsOptions): FurtherCalls {
  const lateRatio = lateCalls(lifetimeMs);
  const longer = SESSIONS.filter((row) => row.calls > callsMade && row.repository !== exceptRepository);
  const own = longer.filter((row) => row.agent === agent);
  const isOwn = own.length >= MIN_SESSIONS;
  const chosen = isOwn ? own : longer;
  // Longer than every recorded session: as many calls again as it had would be a guess.
  if (chosen.length === 0) return { calls: 0, source: 'no recorded session was as long' };
  const warmCalls = ({ calls }: { calls: number }): number => (1 - (1 - lateRatio) ** (calls - callsMade)) / lateRatio;
  return {
    calls: chosen.reduce((sum, row) => sum + warmCalls(row), 0) / chosen.length,
    source: `${counted(chosen.length, 'recorded session')} of ${isOwn ? agent : 'all agents'}`,
  };
}

function lateCalls(lifetimeMs: number): number {
  return LATE_CALLS.find(([minutes]) => lifetimeMs >= minutes * MINUTE_MS)?.[1] ?? LATE_CALLS.at(-1)![1];
}
