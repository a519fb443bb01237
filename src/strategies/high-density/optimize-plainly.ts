import type { IContent } from '../../content/content.ts';
import { fileAccess } from '../../content/files/file-access.ts';
import { vocabularyWithListed } from '../../content/tools/own-tools.ts';
import type { DensityResult } from '../contract.ts';
import type { GivenDensityConfig } from '../settings/density-config.ts';
import { HistoryDraft } from './draft.ts';
import { pruneWithoutRepeats } from './repeated-lines/prune-without-repeats.ts';
import { type FileCall, type FileCallOptions, fileCalls } from './rules/file-call.ts';
import { RULES } from './rules/index.ts';
import { rulesInForce } from './rules-in-force.ts';

/**
 * The edits of the current rules. Each rule is one pass over the history after the rules before it (docs/readings.md,
 * row 3). Nothing is cached between runs: `IncrementalOptimizer` returns equal results faster.
 */
export function optimizePlainly(
  history: readonly IContent[],
  config: GivenDensityConfig | undefined,
  options: FileCallOptions,
): DensityResult {
  const inForce = rulesInForce(config, undefined);
  const { rules, workspaceRoot } = inForce;
  const vocabulary = vocabularyWithListed(rules.tools, options.vocabulary);
  const reading = { includesShellWrites: rules.shellWrites, workspaceRoot };
  const callsIn = (entries: readonly IContent[]): FileCall[] => fileCalls(entries, reading, { ...options, vocabulary });
  return pruneWithoutRepeats(history, {
    inForce,
    vocabulary,
    fileAccess: options.fileAccess ?? fileAccess,
    callsOn: (files, entries, count) =>
      callsIn(entries.slice(0, count))
        .filter(({ reads, writes }) => [...reads, ...writes].some((file) => files.includes(file)))
        .reverse(),
    notedCalls: (entries) => callsIn(entries).filter(({ responses }) => responses.some(({ hasNotes }) => hasNotes)),
    prune(entries) {
      const draft = new HistoryDraft(entries);
      const calls = callsIn(entries);
      for (const rule of RULES) if (rule.isOn(inForce)) rule.prune(draft, { inForce, vocabulary, calls });
      return draft.result();
    },
  });
}
