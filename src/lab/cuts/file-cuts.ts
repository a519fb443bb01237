import { fileBytes } from '../../disk/file-bytes.ts';
import { type ContradictedCall, withPossibleUsage } from '../../sessions/possible-usage.ts';
import { readSession } from '../../sessions/read-session.ts';
import { blockCounter, entryCounter } from '../../tokens/entries/block-counter.ts';
import { type RecordedCut, recordedCuts } from './recorded-cuts.ts';

/** The cuts of a session file. */
export interface FileCuts {
  readonly path: string;
  readonly format: string;
  readonly cuts: readonly RecordedCut[];
  /** Calls whose usage cannot be, and is not used. */
  readonly contradicted: readonly ContradictedCall[];
}

/** Reads the session at `path` and finds its cuts. @throws CompressionStrategyError as `readSession`. */
export function fileCuts(path: string): FileCuts {
  const { session, format } = readSession(fileBytes(path));
  const { model = 'unknown' } = session;
  const countBlock = blockCounter(model);
  const possible = withPossibleUsage(session, entryCounter(model, countBlock));
  return {
    path,
    format: format.name,
    cuts: recordedCuts(possible.session, countBlock),
    contradicted: possible.contradicted,
  };
}
