import type { LedgerNumbers } from '../ledger/contract.ts';

/** What the page shows. */
export interface LiveState {
  /** The agent, and the folder in which it runs, for a person. */
  readonly agent: string;
  readonly folder: string;
  readonly isShadow: boolean;
  readonly startedAt: number;
  readonly numbers: LedgerNumbers;
  /** What to know: what went wrong here while the agent went on, and prices that are missing. */
  readonly troubles: readonly string[];
  readonly version: string;
  /** The page of one user of a team's proxy: that runs elsewhere, and goes on. */
  readonly isOfTeam?: boolean;
}
