import type { Redactor } from '../content/redact.ts';
import type { Inspection } from '../replay/inspection.ts';
import type { LedgerRecord } from '../replay/ledger.ts';
import type { ReplayResult, ReplayTurn } from '../replay/result.ts';

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

/** A text of a session as it is shown: without the folder of the workspace, secrets hidden. */
export function shownText(text: string, { workspaceRoot, redactor }: SessionReport): string {
  const short = workspaceRoot === undefined || workspaceRoot === '/' ? text : text.replaceAll(`${workspaceRoot}/`, '');
  return redactor === undefined ? short : redactor.text(short);
}

/** What a piece is called, which may end in `…`: a key that was cut there has lost the shape by which it is known. */
export function shownLabel(label: string, report: SessionReport): string {
  const shown = shownText(label, report);
  return report.redactor === undefined ? shown : shown.replace(/[\w+=.~-]{6,}…/, '…');
}
