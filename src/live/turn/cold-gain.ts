import { cacheRuleOf } from '../../economics/cache-rules.ts';
import { findEdits } from '../../pruning/find-edits.ts';
import { configAt, pruningDecision } from '../../pruning/pruning-decision.ts';
import { HighDensityStrategy } from '../../strategies/high-density/high-density.ts';
import type { Branch } from '../conversation/branch.ts';
import { termsOf } from './apply-waiting.ts';
import type { Slices } from './slices.ts';
import type { TurnTools } from './turn-tools.ts';

/**
 * US dollars that edits would save if the cache of a conversation had expired before its next request; 0 where thinking is bound, or if
 * it takes too long to say. Works on a copy: the next request does not wait for it.
 */
export async function coldGain(
  branch: Branch,
  tools: Pick<TurnTools, 'agent' | 'dialect' | 'config' | 'vocabulary'>,
  slices: Slices,
): Promise<number> {
  const { model = '', constantTokens = 0, projection, decisions, history } = branch;
  const terms = termsOf(branch, model, tools);
  const isBound = terms.bindsThinking || cacheRuleOf(model).bindsThinking;
  if (isBound && !terms.dropsThinking) return 0;
  const entries = [...projection.entries];
  const sent = { sentEntries: entries.length, idleMs: Number.POSITIVE_INFINITY };
  const moment = {
    ...sent,
    history: entries,
    tokens: [...projection.tokens],
    constantTokens,
    pendingTokens: 0,
    callsMade: history.answersAt.length,
    pastCalls: [...decisions.calls.calls],
  };
  // That of the conversation remembers what it found: it is asked about the next request.
  const strategy = new HighDensityStrategy({ vocabulary: tools.vocabulary });
  const config = configAt(tools.config, sent, terms);
  const finding = findEdits(entries, { strategy, config, seenEntries: 0 });
  for (;;) {
    if (slices.isLate) return 0;
    const step = finding.next();
    if (slices.isOver()) await slices.next();
    if (step.done) return pruningDecision(step.value, moment, terms).expectedNet;
  }
}
