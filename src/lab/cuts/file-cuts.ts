import { fileBytes } from '../../disk/file-bytes.ts';
import { readSession } from '../../sessions/read-session.ts';
import { blockCounter } from '../../tokens/entries/block-counter.ts';
import { type RecordedCut, recordedCuts } from './recorded-cuts.ts';

/** The cuts of a session file. */
export interface FileCuts {
  readonly path: string;
  readonly format: string;
  readonly cuts: readonly RecordedCut[];
}

/** Reads the session at `path` and finds its cuts. @throws CompressionStrategyError as `readSession`. */
export function fileCuts(path: string): FileCuts {
  const { session, format } = readSession(fileBytes(path));
  return { path, format: format.name, cuts: recordedCuts(session, blockCounter(session.model ?? 'unknown')) };
}
