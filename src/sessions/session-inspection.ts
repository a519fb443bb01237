import { liveHistory, type Session } from '../formats/contract.ts';
import { blockCounter, entryCounter } from '../tokens/entries/block-counter.ts';
import { type ContextSize, contextSize } from './context-size.ts';
import { type Inspection, type InspectionOptions, inspectHistory, type Share } from './inspection.ts';

/** The live history of a session, and how large its whole context is. */
export interface SessionInspection extends Inspection {
  /** By the provider's own count where it is recorded. */
  readonly context: ContextSize;
}

/** Inspects the live history of a session. Linear in blocks. */
export function inspectSession(session: Session, options: InspectionOptions): SessionInspection {
  const countBlock = blockCounter(options.model);
  const inspection = inspectHistory(liveHistory(session), options, countBlock);
  return { ...inspection, context: contextSize(session, entryCounter(options.model, countBlock), inspection.tokens) };
}

/** The parts of the whole context, largest first: recorded text by kind, and what no recorded text has. */
export function contextKinds({ byKind, context: { unrecordedTokens } }: SessionInspection): readonly Share[] {
  if (unrecordedTokens === 0) return byKind;
  const unrecorded = { name: 'system prompt, tools: not in the file', tokens: unrecordedTokens, count: 0 };
  return [...byKind, unrecorded].sort((one, other) => other.tokens - one.tokens);
}
