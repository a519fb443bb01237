import { readFileSync, realpathSync } from 'node:fs';
import { readOr } from '../../../content/foreign-value.ts';
import { fileBytes } from '../../../disk/file-bytes.ts';
import { reasonOf } from '../../../disk/reason-of.ts';
import { type ComparedProfile, DEFAULT_PROFILES, NO_PRUNING, parseProfiles } from '../../../lab/policy.ts';
import { nearestName } from '../../../settings/nearest-name.ts';
import type { NamedSessions } from '../../options/named-sessions.ts';
import { type OutputTarget, outputTarget } from '../../output/output-target.ts';
import { printJson, terminal, UsageError } from '../../terminal/terminal.ts';
import { comparisonResults } from './comparison-results.ts';
import { type ComparisonAnswers, playedSessions } from './played-sessions.ts';

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

function policiesFrom(file: string | undefined): readonly ComparedProfile[] {
  if (file === undefined) return DEFAULT_PROFILES;
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`Expected a readable file of profiles at ${file}, but ${reasonOf(error)}.`);
  }
  return parseProfiles(text, file);
}

/** The named profiles in their order, and the one without pruning that they are compared with. */
function chosenPolicies(
  policies: readonly ComparedProfile[],
  names: readonly string[] | undefined,
): readonly ComparedProfile[] {
  if (names === undefined) return policies;
  const known = policies.map(({ name }) => name);
  for (const name of names) {
    if (known.includes(name)) continue;
    throw new UsageError(
      `Expected the name of a profile (${known.join(', ')}), got "${name}". Did you mean "${nearestName(name, known)}"?`,
    );
  }
  return policies.filter(({ name }) => name === NO_PRUNING.name || names.includes(name));
}

/** Where the page is written; never one of the compared sessions. */
function pageTarget({ open, output, force }: CompareOptions, files: readonly string[]): OutputTarget | undefined {
  if (output === undefined && !open) return undefined;
  const file = output ?? PAGE_NAME;
  const place = realOf(file);
  const session = place === undefined ? undefined : files.find((one) => realOf(one) === place);
  const identity = session === undefined ? '' : fileBytes(session).identity;
  return outputTarget(file, { mode: PAGE_MODE, identity }, force ?? false);
}

const realOf = (file: string): string | undefined => readOr(() => realpathSync(file), undefined);

/**
 * Plays the named sessions on `threads` and prints the comparison.
 * @throws UsageError for an unknown profile or names without any session; what `outputTarget` throws.
 */
export async function compareProfiles(
  sessions: NamedSessions,
  options: CompareOptions,
  threads: ComparisonAnswers,
): Promise<void> {
  const { out } = terminal();
  const policies = chosenPolicies(policiesFrom(options.policies), options.policy);
  const target = pageTarget(options, sessions.files);
  const results = comparisonResults(options.results, policies);
  const { compared, copiedCalls, onlyCopies, skipped, tookMs } = await playedSessions(sessions, {
    policies,
    threads,
    results,
  });
  if (target?.kind !== 'stdout') {
    if (options.json) await printJson(...compared);
    else {
      // Imported late: while the threads work, no processor is free.
      const { comparisonTable } = await import('./compare-report.ts');
      await out.print(comparisonTable(compared, { copiedCalls, onlyCopies, tookMs, screen: out }));
    }
  }
  if (target === undefined) {
    if (options.json) return;
    const { commandName, printNext } = await import('../../output/next-step.ts');
    return printNext(['density compare', ...sessions.named.map(commandName), '--open'].join(' '));
  }
  const { writeComparison } = await import('./written-comparison.ts');
  await writeComparison(target, { named: sessions.named, compared, copiedCalls, skipped });
  if (!options.open || target.kind !== 'file') return;
  const { openPage } = await import('../../output/opened-page.ts');
  await openPage(target.path);
}
