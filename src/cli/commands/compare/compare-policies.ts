import { readFileSync, realpathSync } from 'node:fs';
import { fileBytes } from '../../../disk/file-bytes.ts';
import { reasonOf } from '../../../disk/reason-of.ts';
import { CompressionStrategyError } from '../../../errors.ts';
import type { ComparisonThreads, FileOutcome } from '../../../lab/comparison-threads.ts';
import { NO_PRUNING, type Policy, parsePolicies, USUAL_POLICIES } from '../../../lab/policy.ts';
import { nearestName } from '../../../settings/nearest-name.ts';
import { type OutputTarget, outputTarget } from '../../output/output-target.ts';
import { reportFailure, UsageError } from '../../terminal/failure.ts';
import { startProgress } from '../../terminal/progress.ts';
import { terminal } from '../../terminal/terminal.ts';
import { largestFirst, namedSessions, type SkippedFile, skippedNote } from './compared-sessions.ts';
import { comparisonResults } from './comparison-results.ts';

export interface CompareOptions {
  readonly policies?: string;
  readonly policy?: readonly string[];
  readonly results?: string;
  readonly output?: string;
  readonly force?: boolean;
  readonly json?: boolean;
  /** Without an output the page gets its usual name. */
  readonly open?: boolean;
}

const PAGE_NAME = 'comparison.html';
/** The usual mode of a new file. */
const PAGE_MODE = 0o644;

function policiesFrom(file: string | undefined): readonly Policy[] {
  if (file === undefined) return USUAL_POLICIES;
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`Expected a readable file of policies at ${file}, but ${reasonOf(error)}.`);
  }
  return parsePolicies(text, file);
}

/** The named policies in their order, and the one without pruning that they are compared with. */
function chosenPolicies(policies: readonly Policy[], names: readonly string[] | undefined): readonly Policy[] {
  if (names === undefined) return policies;
  const known = policies.map(({ name }) => name);
  for (const name of names) {
    if (known.includes(name)) continue;
    throw new UsageError(
      `Expected the name of a policy (${known.join(', ')}), got "${name}". Did you mean "${nearestName(name, known)}"?`,
    );
  }
  return policies.filter(({ name }) => name === NO_PRUNING.name || names.includes(name));
}

/** Where the page is written; never one of the compared sessions. */
function pageTarget({ open, output, force }: CompareOptions, files: readonly string[]): OutputTarget | undefined {
  if (output === undefined && !open) return undefined;
  return fileTarget(output ?? PAGE_NAME, force ?? false, files);
}

function fileTarget(output: string, force: boolean, files: readonly string[]): OutputTarget {
  const place = realOf(output);
  const session = place === undefined ? undefined : files.find((file) => realOf(file) === place);
  const identity = session === undefined ? '' : fileBytes(session).identity;
  return outputTarget(output, { mode: PAGE_MODE, identity }, force);
}

function realOf(file: string): string | undefined {
  try {
    return realpathSync(file);
  } catch {
    return undefined;
  }
}

/**
 * Plays the named sessions on `threads` and prints the comparison.
 * @throws UsageError for an unknown policy or names without any session; what `outputTarget` throws.
 */
export async function comparePolicies(
  named: readonly string[],
  options: CompareOptions,
  threads: ComparisonThreads,
): Promise<void> {
  const { out, notes } = terminal();
  const policies = chosenPolicies(policiesFrom(options.policies), options.policy);
  const { files, fromFolders } = namedSessions(named);
  const target = pageTarget(options, files);
  const results = comparisonResults(options.results, policies);
  const compared = files.flatMap((file) => results.of(file) ?? []);
  const known = new Set(compared.map((file) => file.path));
  const skipped: SkippedFile[] = [];
  let done = compared.length;
  const progress = startProgress('comparing', files.length);
  const onDone = async (outcome: FileOutcome): Promise<void> => {
    done++;
    if ('file' in outcome) {
      compared.push(outcome.file);
      results.keep(outcome.file);
    } else if (fromFolders.has(outcome.path) && outcome.error instanceof CompressionStrategyError) {
      skipped.push({ path: outcome.path, error: outcome.error });
    } else {
      progress.clear();
      await reportFailure(outcome.error);
    }
    progress.update(done);
  };
  const startedAt = performance.now();
  try {
    const left = largestFirst(files.filter((file) => !known.has(file)));
    await threads.compare(left, { policies, onDone });
  } finally {
    progress.stop();
  }
  const tookMs = known.size > 0 ? undefined : performance.now() - startedAt;
  compared.sort((one, other) => (one.path < other.path ? -1 : 1));
  if (skipped.length > 0) await notes.print(skippedNote(skipped));
  if (compared.length === 0) {
    throw new UsageError(`Expected at least one session, got none in ${named.join(', ')}.`);
  }
  if (target?.kind !== 'stdout') {
    if (options.json) for (const file of compared) await out.print(`${JSON.stringify(file)}\n`);
    else {
      // Imported late: while the threads work, no processor is free.
      const { comparisonTable } = await import('./compare-report.ts');
      await out.print(comparisonTable(compared, { tookMs, screen: out }));
    }
  }
  if (target === undefined) {
    if (options.json) return;
    const { commandName, printNext } = await import('../../output/next-step.ts');
    await printNext(`density compare ${named.map(commandName).join(' ')} --open`);
    return;
  }
  const { writeComparison } = await import('./written-comparison.ts');
  await writeComparison(target, { named, compared, skipped: skipped.length });
  if (!options.open || target.kind !== 'file') return;
  const { openPage } = await import('../../output/opened-page.ts');
  await openPage(target.path);
}
