import { archiveName } from '../../disk/block-archive.ts';
import type { Decision } from '../../economics/decision.ts';
import type { Body, ProjectedResult, PromptChange, Pruned, PruneReport, Untouched } from '../contract.ts';
import type { Branch } from '../conversation/branch.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { savedTokens } from '../conversation/projection.ts';
import { HistoryElsewhere } from '../request/dialects.ts';
import { NotUnderstood } from '../request/request-list.ts';
import type { DecidedTurn } from './turn.ts';
import type { TurnTools } from './turn-tools.ts';

/** What a report of a request needs beside its conversation. */
export type ReportTools = Pick<TurnTools, 'labels' | 'archive' | 'isOff' | 'slices'>;

interface ReportFacts {
  readonly branch: Branch;
  readonly conversation: Conversation;
  readonly model: string;
  readonly tools: ReportTools;
  /** What the agent changed of its last request. */
  readonly changes?: readonly PromptChange[];
  /** True if the request leaves the past of the others. */
  readonly isBranch?: boolean | undefined;
}

export const NOTHING_DECIDED: DecidedTurn = { changed: [], named: [], decision: undefined, isEpoch: false };

/** What was done to a request. */
export function reportOf({ changed, decision, isEpoch }: DecidedTurn, facts: ReportFacts): PruneReport {
  const { branch, conversation, model, tools, changes = [], isBranch } = facts;
  const { decisions, history, projection, reader } = branch;
  return {
    conversation: conversation.facts.key,
    model,
    changed: changed.flatMap((listed): ProjectedResult | [] => {
      const { id, block, callId, name } = listed.result;
      const form = decisions.results.get(id)!;
      const { kind, reason } = form;
      if (kind === 'named' || kind === 'cache') return [];
      const isArchived = tools.archive !== undefined && kind !== 'healed' && !form.losesNothing;
      const hash = isArchived ? { hash: archiveName(block) } : {};
      const what = name ?? tools.labels.call(reader.callOf(block));
      return { callId, kind, what, reason, ...hash, savedTokens: savedTokens(listed, form, history) };
    }),
    projected: projection.results,
    savedTokens: projection.savedTokens,
    sentTokens: branch.promptTokens,
    unchangedTokens: (branch.constantTokens ?? 0) + projection.unchangedTokens,
    isEpoch,
    ...(changes.length > 0 && { changes }),
    ...(isBranch && { isBranch }),
    ...((tools.isOff || conversation.facts.isOff) && { isOff: true }),
    ...(changed.length === 0 && tools.slices.isLate && { isLate: true as const }),
    neededAgain: [...decisions.neededAgain],
    unknownTools: [...branch.unknownTools],
    sentWhole: [...history.wholeTokens]
      .map(([kind, tokens]) => ({ kind, tokens }))
      .sort((one, other) => other.tokens - one.tokens),
    ...(decision && { decision: toldOf(decision) }),
  };
}

const toldOf = ({ apply: _, ...told }: NonNullable<DecidedTurn['decision']>): Omit<Decision, 'apply'> => told;

/** A request that goes out as it was. */
export const untouched = <Given extends Body>(body: Given, reason: Untouched): Pruned<Given> => ({
  body,
  report: {
    untouched: reason,
    changed: [],
    projected: 0,
    savedTokens: 0,
    sentTokens: 0,
    unchangedTokens: 0,
    isEpoch: false,
    neededAgain: [],
    unknownTools: [],
    sentWhole: [],
  },
});

/** Why a request that could not be looked at goes out as it was. */
export function reasonOf(error: unknown): Untouched {
  if (error instanceof HistoryElsewhere) return 'history-elsewhere';
  return error instanceof NotUnderstood || error instanceof SyntaxError ? 'not-understood' : 'failed';
}

/** A request in a span. Source of the names: the semantic conventions of OpenTelemetry for generative AI; `density.` where they have none. */
export const spanAttributes = ({ report }: Pruned) => ({
  ...(report.conversation !== undefined && { 'gen_ai.conversation.id': report.conversation }),
  ...(report.model !== undefined && { 'gen_ai.request.model': report.model }),
  ...(report.untouched !== undefined && { 'density.untouched': report.untouched }),
  'gen_ai.conversation.compacted': report.savedTokens > 0,
  'density.tokens.removed': report.savedTokens,
  'density.cache.prefix_changed': report.isEpoch,
});
