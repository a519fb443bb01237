import { vocabularyWithListed } from '../content/tools/own-tools.ts';
import { liveHistory, type Session, type SessionFormat } from '../formats/contract.ts';
import { blockCounter, entryCounter } from '../tokens/entries/block-counter.ts';
import { type ContextSize, contextSize } from './context-size.ts';
import { type Inspection, inspectHistory, type Share } from './inspection.ts';
import type { OptimizeConfig } from './prunable.ts';
import type { ReadSession } from './read-session.ts';

/** The live history of a session, and how large its whole context is. */
export interface SessionInspection extends Inspection {
  /** By the provider's own count where it is recorded. */
  readonly context: ContextSize;
}

/** How a session is inspected. */
export interface InspectionChoice {
  /** Counts; the recorded one if absent. */
  readonly model?: string | undefined;
  /** How `optimize` would prune it. */
  readonly optimize: OptimizeConfig;
}

/** What fills the context of a session: its live history, and the rest. Linear in blocks. */
export function inspectionOf(
  { session, format }: { readonly session: Session; readonly format: Pick<SessionFormat, 'vocabulary'> },
  { model = session.model ?? 'unknown', optimize }: InspectionChoice,
): SessionInspection {
  const countBlock = blockCounter(model);
  const options = {
    vocabulary: vocabularyWithListed(optimize.rules?.tools ?? [], format.vocabulary),
    workspaceRoot: session.workspaceRoot ?? '/',
    model,
    optimize,
  };
  const inspection = inspectHistory(liveHistory(session), options, countBlock);
  return { ...inspection, context: contextSize(session, entryCounter(model, countBlock), inspection.tokens) };
}

/** The parts of the whole context, largest first: recorded text by kind, and what no recorded text has. */
export function contextKinds({ byKind, context: { unrecordedTokens } }: SessionInspection): readonly Share[] {
  if (unrecordedTokens === 0) return byKind;
  const unrecorded = { name: 'system prompt, tools: not in the file', tokens: unrecordedTokens, count: 0 };
  return [...byKind, unrecorded].sort((one, other) => other.tokens - one.tokens);
}

/** Figures of a session, counted exactly as its model does. Tokens are those of its live history. */
export interface SessionFigures {
  readonly format: string;
  readonly workspaceRoot?: string;
  readonly model?: string;
  readonly entries: number;
  readonly tokens: number;
  /** Of the whole context, as `ContextSize`. */
  readonly contextTokens: number;
  /** Of `tokens`, those that `optimize` would remove. */
  readonly removableTokens: number;
}

/** The tokens of a session, and how many of them `optimize` would remove, counted as its own model does. */
export function sessionFigures(read: ReadSession, optimize: OptimizeConfig): SessionFigures {
  const { workspaceRoot, model } = read.session;
  const { entries, tokens, context, removableTokens } = inspectionOf(read, { optimize });
  return {
    format: read.format.name,
    ...(workspaceRoot !== undefined && { workspaceRoot }),
    ...(model !== undefined && { model }),
    entries,
    tokens,
    contextTokens: context.tokens,
    removableTokens: Math.max(0, removableTokens),
  };
}
