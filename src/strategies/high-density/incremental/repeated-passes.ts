import { agentTexts } from '../rules/agent-texts/agent-texts.ts';
import { ExpiringTexts } from '../rules/agent-texts/expiring-texts.ts';
import { carriedResults } from '../rules/carried-results.ts';
import { ExpiringResults } from '../rules/expiring-results.ts';
import { RULES } from '../rules/index.ts';
import { oldThinking, omitOldThinking } from '../rules/old-thinking.ts';
import { pruneReads } from '../rules/prune-reads.ts';
import { recency, replaceOldResults } from '../rules/recency.ts';
import { cutRepeatedInclusions, repeatedInclusions } from '../rules/repeated-inclusions.ts';
import { IndexedCall } from './indexed-call.ts';
import { ReadDecisions } from './read-decisions.ts';
import type { PassContext, RepeatedPass } from './repeated-pass.ts';

type Rule = (typeof RULES)[number];

/** Rules whose plain pass takes too long before every send. Source: bench `optimize.*`. */
const FAST_PASSES = new Map<Rule, (context: PassContext) => RepeatedPass>([
  [pruneReads, (context) => new ReadDecisions(context)],
  [
    carriedResults,
    ({ index, inForce, vocabulary }) => {
      const results = new ExpiringResults(inForce, vocabulary);
      const at = (row: number): IndexedCall => new IndexedCall(index, row);
      let responses = 0;
      return {
        update() {
          const answered = index.links.owner.slice(responses).filter((row) => row !== -1);
          responses = index.links.owner.length;
          return results.add({ history: index.history, count: index.calls.entry.length, answered, at });
        },
        prune: (draft) => results.prune(draft),
      };
    },
  ],
  [
    agentTexts,
    ({ index, inForce }) => {
      const texts = new ExpiringTexts(inForce);
      return { update: () => texts.add(index.history), prune: (draft) => texts.prune(draft) };
    },
  ],
  [
    oldThinking,
    ({ index, inForce }) => ({
      update: isLonger(() => index.history),
      prune: (draft) => omitOldThinking(draft, inForce),
    }),
  ],
  [
    repeatedInclusions,
    ({ index, inForce }) => ({
      update: isLonger(() => index.including),
      prune: (draft) => cutRepeatedInclusions(draft, index.including, inForce),
    }),
  ],
  [
    recency,
    ({ index, inForce }) => ({
      update: isLonger(() => index.resultEntries),
      prune: (draft) => replaceOldResults(draft, index.resultEntries, inForce),
    }),
  ],
]);

/** A pass for each rule that is on, in the order of the rules. */
export const repeatedPasses = (context: PassContext): RepeatedPass[] =>
  RULES.filter((rule) => rule.isOn(context.inForce)).map(
    (rule) => FAST_PASSES.get(rule)?.(context) ?? plainPass(rule, context),
  );

/** The pass of the rule itself, again after each added entry. */
const plainPass = (rule: Rule, { index, inForce, vocabulary }: PassContext): RepeatedPass => ({
  update: isLonger(() => index.history),
  prune(draft) {
    const calls = index.calls.entry.map((_, row) => new IndexedCall(index, row));
    rule.prune(draft, { inForce, vocabulary, calls });
  },
});

/** True if a list is longer than last time. */
function isLonger(list: () => readonly unknown[]): () => boolean {
  let count = 0;
  return () => {
    const last = count;
    count = list().length;
    return count > last;
  };
}
