import type { IContent } from '../content/content.ts';
import type { DecisionCause } from '../economics/decision.ts';
import type { ChangedEntry } from '../strategies/changed-entries.ts';
import type { CompressionResultMetadata, DensityEdit, DensityResultMetadata } from '../strategies/contract.ts';

/** What the density step did (REQ-HD-002.2, 002.3, 002.5). `stale`: the history kept changing, so no result was applied. */
export type DensityOutcome =
  | { readonly kind: 'skipped'; readonly reason: 'no-optimize' | 'threshold-only' | 'clean' | 'stale' }
  | { readonly kind: 'empty' }
  /** Edits wait, because applying them now would cost more than it saves; `reason` says why in one sentence. */
  | {
      readonly kind: 'waiting';
      readonly cause: DecisionCause;
      readonly reason: string;
      readonly waitingTokens: number;
    }
  | {
      readonly kind: 'applied';
      readonly metadata: DensityResultMetadata;
      /** Each block that was removed or replaced, and why; absent where the strategy does not say. */
      readonly edits?: readonly DensityEdit[];
      /** Why they apply now, and the tokens of those that wait; absent where edits always apply. */
      readonly cause?: DecisionCause;
      readonly reason?: string;
      readonly waitingTokens?: number;
      readonly entriesRemoved: number;
      readonly entriesReplaced: number;
      readonly tokensBefore: number;
      readonly tokensAfter: number;
    };

/** The result of a compression. `unchanged`: the history is as before (docs/readings.md, row 17). */
export type CompressionOutcome =
  | { readonly kind: 'not-needed' }
  | { readonly kind: 'cooling-down'; readonly turnsLeft: number }
  | { readonly kind: 'unchanged'; readonly reason: 'empty-history' | 'not-smaller' | 'history-changed' }
  | { readonly kind: 'failed'; readonly strategy: string; readonly error: unknown }
  | {
      readonly kind: 'compressed';
      readonly metadata: CompressionResultMetadata;
      /** Entries of the old history that are not in the new one, and the other way round. */
      readonly entriesRemoved: number;
      readonly entriesCreated: number;
      readonly tokensBefore: number;
      readonly tokensAfter: number;
    };

/** What the last resort removed. */
export interface LastResortOutcome {
  /** Human ones included. */
  readonly entriesDropped: number;
  readonly humanEntriesDropped: number;
  /** Entries whose tool results were cut in the middle. */
  readonly entriesShrunk: number;
}

/** How the hard limit was met, with the steps that ran. */
export type EnforcementOutcome =
  | { readonly kind: 'within-limit' }
  | {
      readonly kind: 'enforced';
      readonly density?: DensityOutcome;
      readonly compression?: CompressionOutcome;
      readonly lastResort?: LastResortOutcome;
    };

/** What one gate run did. Tokens include the base offset, but no pending tokens. */
export interface GateReport {
  readonly promptId: string;
  readonly source: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly density: DensityOutcome;
  readonly compression: CompressionOutcome;
  readonly enforcement: EnforcementOutcome;
  /** Messages for the user, each once. */
  readonly notices: readonly string[];
}

/** A step of a gate run that removed something: an optimisation, or a compression or the last resort. */
export interface RemovingStep {
  readonly kind: 'optimized' | 'compressed';
  /** The history as the step found it. */
  readonly before: readonly IContent[];
  /** In the order of the history. */
  readonly changes: readonly ChangedEntry[];
}

export type OnRemoved = (step: RemovingStep) => void;

/** A gate run in a span. Source of the names: the semantic conventions of OpenTelemetry for generative AI; `density.` where they have none. */
export const spanAttributes = ({ source, tokensBefore, tokensAfter, density, compression }: GateReport) => ({
  'density.source': source,
  'density.tokens.before': tokensBefore,
  'density.tokens.removed': tokensBefore - tokensAfter,
  'gen_ai.conversation.compacted': density.kind === 'applied' || compression.kind === 'compressed',
});
