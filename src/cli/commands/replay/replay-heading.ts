import type { ReplayResult } from '../../../replay/result.ts';
import type { SessionFacts } from '../../options/session-file.ts';
import { sessionHeading } from '../../options/session-summary.ts';
import type { Screen } from '../../terminal/terminal.ts';

/** The lines above the report of a replay. */
export function replayHeading(
  source: SessionFacts,
  { model, contextLimit, context, entries }: ReplayResult,
  screen: Screen,
): string {
  return sessionHeading(source, { model, contextLimit, context, entries, screen });
}
