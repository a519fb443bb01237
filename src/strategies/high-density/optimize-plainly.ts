import type { IContent } from '../../content/content.ts';
import type { FileAccessOf } from '../../content/files/cached-file-access.ts';
import { fileAccess } from '../../content/files/file-access.ts';
import { vocabularyWithListed } from '../../content/tools/own-tools.ts';
import type { ToolVocabulary } from '../../content/vocabularies/vocabulary.ts';
import type { DensityResult } from '../contract.ts';
import type { GivenDensityConfig } from '../settings/density-config.ts';
import { DistinctCalls } from './distinct-calls.ts';
import { HistoryDraft } from './draft.ts';
import type { Asked } from './repeated-lines/asked.ts';
import { LineIndex } from './repeated-lines/line-index.ts';
import { type FileCall, fileCalls } from './rules/file-call.ts';
import { RULES } from './rules/index.ts';
import { rulesInForce } from './rules-in-force.ts';
import { SeenHistory } from './seen-history.ts';
import { pruneShaped } from './shapers/prune-shaped.ts';

/**
 * The edits of the current rules. Each rule is one pass over the history after the rules before it (docs/readings.md,
 * row 3). Nothing is cached between runs: `IncrementalOptimizer` returns equal results faster.
 */
export function optimizePlainly(
  history: readonly IContent[],
  config: GivenDensityConfig | undefined,
  options: PlainOptions,
): DensityResult {
  const { entries, asGiven } = new DistinctCalls().of(new SeenHistory().of(history));
  return asGiven(pruneShaped(entries, askedPlainly(config, options)));
}

interface PlainOptions {
  readonly vocabulary: ToolVocabulary;
  readonly fileAccess?: FileAccessOf;
}

/** What the forms of new results, and of results whose targets go, are made with; nothing is cached. */
export function askedPlainly(
  config: GivenDensityConfig | undefined,
  { vocabulary: agent, fileAccess: accessOf = fileAccess }: PlainOptions,
): Asked {
  const inForce = rulesInForce(config, undefined);
  const { rules, workspaceRoot } = inForce;
  const vocabulary = vocabularyWithListed(rules.tools, agent);
  const reading = {
    vocabulary,
    includesShellWrites: rules.shellWrites,
    includesAttachedReads: rules.attachedReads,
    workspaceRoot,
  };
  const callsIn = (entries: readonly IContent[]): FileCall[] => fileCalls(entries, reading, accessOf);
  return {
    inForce,
    vocabulary,
    fileAccess: accessOf,
    linesOf(entries, count) {
      const lines = new LineIndex({ vocabulary, fileAccess: accessOf, workspaceRoot });
      lines.update(entries, count);
      return lines;
    },
    notedCalls: (entries) => callsIn(entries).filter(({ responses }) => responses.some(({ hasNotes }) => hasNotes)),
    prune(entries) {
      const draft = new HistoryDraft(entries);
      const calls = callsIn(entries);
      for (const rule of RULES) if (rule.isOn(inForce)) rule.prune(draft, { inForce, vocabulary, calls });
      return draft.result();
    },
  };
}
