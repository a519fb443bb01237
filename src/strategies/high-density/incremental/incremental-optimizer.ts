import type { IContent } from '../../../content/content.ts';
import { vocabularyWithListed } from '../../../content/tools/own-tools.ts';
import type { ToolVocabulary } from '../../../content/vocabularies/vocabulary.ts';
import type { DensityResult, StrategyOptions } from '../../contract.ts';
import type { GivenDensityConfig } from '../../settings/density-config.ts';
import { HistoryDraft } from '../draft.ts';
import { applyDecision } from '../rules/prune-reads.ts';
import { ReadPass } from '../rules/read-pass.ts';
import { replaceOldResults } from '../rules/recency.ts';
import { cutRepeatedInclusions } from '../rules/repeated-inclusions.ts';
import { prunesCarried, prunesReads, type RulesInForce, rulesInForce } from '../rules-in-force.ts';
import { CarriedResults } from './carried-results.ts';
import { HistoryIndex } from './history-index.ts';
import { IndexedCall } from './indexed-call.ts';
import { ReadDecisions } from './read-decisions.ts';

/** The cache for a history while entries are only added and the rules are the same. */
interface Known {
  readonly inForce: RulesInForce;
  /** Of the index. */
  readonly cuts: number;
  readonly reads: ReadDecisions;
  readonly carried: CarriedResults;
  /** The last result, and how many entries there were that a whole pass looks at. */
  result: DensityResult | undefined;
  wholeCount: number;
}

/**
 * Returns the results of `optimizePlainly`. It caches its findings of the last history, so that
 * the next run over the same history costs O(changes). Source: bench `optimize.*`.
 */
export class IncrementalOptimizer {
  readonly #vocabulary: ToolVocabulary;
  readonly #index: HistoryIndex;
  /** With the tools that the rules list. */
  #ruled: ToolVocabulary;
  #known: Known | undefined;

  constructor(options: StrategyOptions & { readonly vocabulary: ToolVocabulary }) {
    this.#vocabulary = options.vocabulary;
    this.#ruled = options.vocabulary;
    this.#index = new HistoryIndex(options);
  }

  optimize(history: readonly IContent[], config: GivenDensityConfig | undefined): DensityResult {
    const inForce = rulesInForce(config, this.#known?.inForce);
    const { fileDedupe, recencyPruning, rules, workspaceRoot } = inForce;
    if (inForce !== this.#known?.inForce) this.#ruled = vocabularyWithListed(rules.tools, this.#vocabulary);
    const reading = { includesShellWrites: rules.shellWrites, vocabulary: this.#ruled };
    this.#index.update(history, workspaceRoot, reading);
    const known = this.#knownBy(inForce);
    const { including, resultEntries } = this.#index;
    const wholeCount = (fileDedupe ? including.length : 0) + (recencyPruning ? resultEntries.length : 0);
    const hasOtherReads = prunesReads(inForce) && this.#decideReads(known);
    const hasOtherCarried = prunesCarried(inForce) && known.carried.add();
    const isSame = !hasOtherReads && !hasOtherCarried && wholeCount === known.wholeCount;
    if (isSame && known.result !== undefined) return known.result;
    known.wholeCount = wholeCount;
    known.result = this.#prune(new HistoryDraft(history), known);
    return known.result;
  }

  /** Decides of the reads that what is new concerns; whether anything else is removed than before. */
  #decideReads({ inForce, reads }: Known): boolean {
    if (!reads.begin(this.#index, inForce.rules.quietCalls)) return false;
    const pass = new ReadPass(this.#index.history, inForce, this.#ruled);
    const { files } = this.#index.calls;
    for (let call = files.length - 1; call >= 0; call--) {
      if (reads.isOpen(files[call]!)) reads.set(call, pass.decide(new IndexedCall(this.#index, call)));
    }
    return reads.hasChanged;
  }

  #prune(draft: HistoryDraft, { inForce, reads, carried }: Known): DensityResult {
    for (const [call, decision] of reads.all) applyDecision(draft, new IndexedCall(this.#index, call), decision);
    if (inForce.fileDedupe) cutRepeatedInclusions(draft, this.#index.including, inForce);
    if (inForce.recencyPruning) replaceOldResults(draft, this.#index.resultEntries, inForce);
    carried.replace(draft);
    return draft.result();
  }

  /** The cache for these rules; a new one if the history was not just appended to. */
  #knownBy(inForce: RulesInForce): Known {
    const { cuts } = this.#index;
    if (this.#known?.inForce === inForce && this.#known.cuts === cuts) return this.#known;
    const carried = new CarriedResults(this.#index, inForce, this.#ruled);
    this.#known = { inForce, cuts, reads: new ReadDecisions(), carried, result: undefined, wholeCount: 0 };
    return this.#known;
  }
}
