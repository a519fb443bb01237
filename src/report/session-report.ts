import type { Redactor } from '../content/secrets/redact.ts';
import type { SessionWorth } from '../lab/played/session-worth.ts';
import type { LedgerRecord } from '../replay/ledger/ledger.ts';
import type { ReplayResult, ReplayTurn } from '../replay/result.ts';
import type { SessionInspection } from '../sessions/session-inspection.ts';

/** A session played under one strategy. */
export interface PlayedStrategy {
  readonly result: ReplayResult;
  readonly turns: readonly ReplayTurn[];
  /** What it was worth; absent if it removes nothing. */
  readonly worth?: SessionWorth;
  /** Tokens at which it compresses; absent if it removes nothing. */
  readonly thresholdTokens?: number;
}

export interface SessionReport {
  /** What a person knows the session by. */
  readonly title: string;
  /** Without its folder. */
  readonly fileName: string;
  /** The name of the format, for a person. */
  readonly formatTitle: string;
  readonly sizeBytes?: number;
  /** Removed from the start of paths. */
  readonly workspaceRoot?: string;
  readonly skippedLines: number;
  /** At least one; all of the same session and window. */
  readonly played: readonly [PlayedStrategy, ...PlayedStrategy[]];
  /** The one of `played` that the ledger describes. */
  readonly chosen: PlayedStrategy;
  readonly inspection: SessionInspection;
  readonly ledger: LedgerRecord;
  /** Hides secrets; absent if nothing is hidden. */
  readonly redactor?: Redactor;
  readonly version: string;
  /** A date, for a person. */
  readonly madeOn: string;
}

/** Text of a session without the folder of the workspace and without secrets; `as`: what it is for the redactor. */
export function shownText(
  text: string,
  { workspaceRoot, redactor }: SessionReport,
  as: 'text' | 'label' = 'text',
): string {
  const isWhole = workspaceRoot === undefined || workspaceRoot === '/';
  const short = isWhole ? text : text.replaceAll(`${workspaceRoot}/`, '');
  if (redactor === undefined) return short;
  return as === 'label' ? redactor.label(short) : redactor.text(short);
}

/** The same for a label, which may be cut. */
export const shownLabel = (label: string, report: SessionReport): string => shownText(label, report, 'label');
