export const LEVELS = ['off', 'quiet', 'full'] as const;
export type Level = (typeof LEVELS)[number];

/** What rules would remove now. */
interface Stale {
  /** The removed share of the transcript. */
  readonly removed: number;
  /** The share of the window that would be left. */
  readonly left: number;
  readonly why: readonly string[];
}

/** What the mod knows of this session, in this process. */
export interface ModState {
  /** True if a person turned compaction by rules off. */
  isOff: boolean;
  dropsThinking: boolean;
  /** True until what rules removed has come back. */
  isUndoing: boolean;
  /** What the last compaction by rules removed. */
  why: readonly string[] | undefined;
  /** How many calls the transcript had at each compaction by rules. */
  readonly counts: number[];
  /** When the last turn ended. */
  answeredAt: number | undefined;
  /** What is drawn; kept for later sessions. */
  level: Level;
  /** Whether rules compact while nothing runs; kept for later sessions. */
  isIdleOn: boolean;
  /** False where nothing is drawn and nobody waits: in print mode. */
  isSeen: boolean;
  stale: Stale | undefined;
  /** Tokens that rules removed. */
  removed: number | undefined;
  /** Ends the wait while nothing runs. */
  cancelWait: () => void;
  isHourCache: boolean;
  turns: number;
}

export const newState = (): ModState => ({
  isOff: false,
  dropsThinking: false,
  isUndoing: false,
  why: undefined,
  counts: [],
  answeredAt: undefined,
  level: 'off',
  isIdleOn: false,
  isSeen: false,
  stale: undefined,
  removed: undefined,
  cancelWait: () => {},
  isHourCache: true,
  turns: 0,
});
