import type { Redactor } from '../content/secrets/redact.ts';
import type { LedgerRecord } from '../replay/ledger/ledger.ts';
import type { ReplayResult, ReplayTurn } from '../replay/result.ts';
import type { Inspection } from '../sessions/inspection.ts';

/** A session as it went under one strategy. */
export interface PlayedStrategy {
  readonly result: ReplayResult;
  readonly turns: readonly ReplayTurn[];
  /** Tokens at which it compresses; absent where nothing is ever taken away. */
  readonly thresholdTokens?: number;
}

/** Everything that a report shows. */
export interface SessionReport {
  /** The name of the file, without its folder. */
  readonly title: string;
  /** What wrote it, for a person. */
  readonly formatTitle: string;
  readonly sizeBytes?: number;
  /** Stripped from the front of paths. */
  readonly workspaceRoot?: string;
  readonly skippedLines: number;
  /** At least one; all of the same session and window. */
  readonly played: readonly [PlayedStrategy, ...PlayedStrategy[]];
  /** The one of `played` whose removals are in the ledger. */
  readonly chosen: PlayedStrategy;
  readonly inspection: Inspection;
  readonly ledger: LedgerRecord;
  /** Hides secrets; absent: nothing is hidden. */
  readonly redactor?: Redactor;
  readonly version: string;
  /** For a person. */
  readonly madeOn: string;
}

function withoutWorkspace(text: string, { workspaceRoot }: SessionReport): string {
  return workspaceRoot === undefined || workspaceRoot === '/' ? text : text.replaceAll(`${workspaceRoot}/`, '');
}

/** A text of a session as it is shown: without the folder of the workspace, secrets hidden. */
export function shownText(text: string, report: SessionReport): string {
  const short = withoutWorkspace(text, report);
  return report.redactor === undefined ? short : report.redactor.text(short);
}

/** What a piece is called, which may have been made short. */
export function shownLabel(label: string, report: SessionReport): string {
  const short = withoutWorkspace(label, report);
  return report.redactor === undefined ? short : report.redactor.label(short);
}
