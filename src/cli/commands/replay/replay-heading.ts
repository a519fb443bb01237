import type { ReplayResult } from '../../../replay/result.ts';
import type { SessionSource } from '../../options/session-file.ts';
import { sessionHeading, skippedNote } from '../../options/session-summary.ts';
import type { Screen } from '../../terminal/terminal.ts';

/** The lines above the report of a replay. */
export function replayHeading(
  source: SessionSource,
  { model, contextLimit, tokensRaw: tokens, entries }: ReplayResult,
  screen: Screen,
): string {
  return sessionHeading(source, { model, contextLimit, tokens, entries, screen }) + skippedNote(source, screen);
}
