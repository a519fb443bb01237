import type { ReplayResult } from '../../../replay/result.ts';
import type { SessionFacts } from '../../options/session-file.ts';
import { sessionHeading, skippedNote } from '../../options/session-summary.ts';
import type { Screen } from '../../terminal/terminal.ts';

/** The lines above the report of a replay. */
export function replayHeading(
  source: SessionFacts,
  { model, contextLimit, context, entries }: ReplayResult,
  screen: Screen,
): string {
  const { tokens, isReported } = context;
  const counting = isReported ? 'counted by the provider' : undefined;
  return (
    sessionHeading(source, { model, contextLimit, tokens, counting, entries, screen }) + skippedNote(source, screen)
  );
}
