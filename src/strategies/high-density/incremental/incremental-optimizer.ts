import type { IContent } from '../../../content/content.ts';
import type { FileAccessOf } from '../../../content/files/cached-file-access.ts';
import { fileAccess } from '../../../content/files/file-access.ts';
import { vocabularyWithListed } from '../../../content/tools/own-tools.ts';
import type { ToolVocabulary } from '../../../content/vocabularies/vocabulary.ts';
import type { DensityResult, StrategyOptions } from '../../contract.ts';
import type { GivenDensityConfig } from '../../settings/density-config.ts';
import { HistoryDraft } from '../draft.ts';
import { LineIndex, type Reading } from '../repeated-lines/line-index.ts';
import { RULES } from '../rules/index.ts';
import { type AllRulesInForce, rulesInForce } from '../rules-in-force.ts';
import { pruneShaped } from '../shapers/prune-shaped.ts';
import { HistoryIndex } from './history-index.ts';
import { IndexedCall } from './indexed-call.ts';
import type { RepeatedPass } from './repeated-pass.ts';
import { repeatedPasses } from './repeated-passes.ts';

/** The cache for a history while entries are only added and the rules are the same. */
interface Known {
  readonly inForce: AllRulesInForce;
  /** With the tools that these rules list. */
  readonly vocabulary: ToolVocabulary;
  /** The `cuts` of the index. */
  readonly cuts: number;
  readonly passes: readonly RepeatedPass[];
  /** The last result. */
  result: DensityResult | undefined;
}

/**
 * Returns the results of `optimizePlainly`. It caches its findings of the last history, so that
 * the next run over the same history costs O(changes). Source: bench `optimize.*`.
 */
export class IncrementalOptimizer {
  readonly #vocabulary: ToolVocabulary;
  readonly #fileAccess: FileAccessOf;
  readonly #index: HistoryIndex;
  #known: Known | undefined;
  /** Absent until lines are looked for. */
  #lines: (Pick<Reading, 'vocabulary' | 'workspaceRoot'> & { readonly index: LineIndex }) | undefined;

  constructor(options: StrategyOptions & { readonly vocabulary: ToolVocabulary }) {
    this.#vocabulary = options.vocabulary;
    this.#fileAccess = options.fileAccess ?? fileAccess;
    this.#index = new HistoryIndex(options);
  }

  optimize(history: readonly IContent[], config: GivenDensityConfig | undefined): DensityResult {
    const inForce = rulesInForce(config, this.#known?.inForce);
    const { rules, workspaceRoot } = inForce;
    const known = inForce === this.#known?.inForce ? this.#known : undefined;
    const vocabulary = known?.vocabulary ?? vocabularyWithListed(rules.tools, this.#vocabulary);
    const reading = {
      includesShellWrites: rules.shellWrites,
      includesAttachedReads: rules.attachedReads,
      workspaceRoot,
      vocabulary,
    };
    return pruneShaped(history, {
      inForce,
      vocabulary,
      fileAccess: this.#fileAccess,
      linesOf: (entries, count) => this.#linesOf({ vocabulary, workspaceRoot }, entries, count),
      notedCalls: () => this.#calls(notedRows(this.#index)),
      prune: (entries) => {
        // The index of a long history takes longer than all else here.
        if (!known && !RULES.some((rule) => rule.isOn(inForce))) return new HistoryDraft(entries).result();
        this.#index.update(entries, reading);
        return this.#prune(entries, inForce, vocabulary);
      },
    });
  }

  /** Gives back what is quickly found again. */
  release(): void {
    this.#lines = undefined;
  }

  #linesOf(
    reading: Pick<Reading, 'vocabulary' | 'workspaceRoot'>,
    history: readonly IContent[],
    count: number,
  ): LineIndex {
    const isSame =
      this.#lines?.vocabulary === reading.vocabulary && this.#lines.workspaceRoot === reading.workspaceRoot;
    if (!isSame || this.#lines!.index.isSpent)
      this.#lines = { ...reading, index: new LineIndex({ ...reading, fileAccess: this.#fileAccess }) };
    this.#lines!.index.update(history, count);
    return this.#lines!.index;
  }

  /** Only those that are asked for are made. */
  *#calls(rows: Iterable<number>): Generator<IndexedCall> {
    for (const row of rows) yield new IndexedCall(this.#index, row);
  }

  #prune(history: readonly IContent[], inForce: AllRulesInForce, vocabulary: ToolVocabulary): DensityResult {
    const known = this.#knownBy(inForce, vocabulary);
    const hasOther = known.passes.map((pass) => pass.update()).includes(true);
    if (known.result !== undefined && !hasOther) return known.result;
    const draft = new HistoryDraft(history);
    for (const pass of known.passes) pass.prune(draft);
    known.result = draft.result();
    return known.result;
  }

  /** The cache for these rules; a new one if the history was not just appended to. */
  #knownBy(inForce: AllRulesInForce, vocabulary: ToolVocabulary): Known {
    const { cuts } = this.#index;
    if (this.#known?.inForce === inForce && this.#known.cuts === cuts) return this.#known;
    const passes = repeatedPasses({ index: this.#index, inForce, vocabulary });
    this.#known = { inForce, vocabulary, cuts, passes, result: undefined };
    return this.#known;
  }
}

/** The rows of calls in whose results notes may name lines of earlier ones. */
function notedRows({ responses: { hasNotes }, links }: HistoryIndex): Set<number> {
  const rows = new Set<number>();
  for (let row = 0; row < hasNotes.length; row++)
    if (hasNotes[row] && links.owner[row] !== -1) rows.add(links.owner[row]!);
  return rows;
}
