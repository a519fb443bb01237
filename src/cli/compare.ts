import { readFileSync, realpathSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import type { Command } from 'commander';
import { CompressionStrategyError } from '../errors.ts';
import type { ComparedFile } from '../replay/fidelity/compared-file.ts';
import { compareOnThreads, type FileOutcome } from '../replay/fidelity/comparison-threads.ts';
import { NO_PRUNING, type Policy, parsePolicies, USUAL_POLICIES } from '../replay/fidelity/policy.ts';
import { PRICES_AS_OF } from '../replay/fidelity/prices.ts';
import { policyTotals, totalsBySet } from '../replay/fidelity/totals.ts';
import { reasonOf } from '../replay/file-bytes.ts';
import { comparisonPage } from '../report/comparison-page.ts';
import { byteSize } from '../report/figures.ts';
import { nearestName } from '../settings/nearest-name.ts';
import { comparisonTable, usageLine } from './compare-report.ts';
import { largestFirst, namedSessions, type SkippedFile, skippedNote } from './compared-sessions.ts';
import { comparisonResults } from './comparison-results.ts';
import { reportFailure, UsageError } from './failure.ts';
import { type OutputTarget, outputTarget } from './output-target.ts';
import { packageVersion } from './package-version.ts';
import { startProgress } from './progress.ts';
import { terminal } from './terminal.ts';
import { writeOutput } from './written-session.ts';

interface CompareOptions {
  readonly policies?: string;
  readonly policy?: readonly string[];
  readonly results?: string;
  readonly output?: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

/** A page that nothing was read from: who may read it is up to the user. */
const PAGE_MODE = 0o644;

function policiesFrom(file: string | undefined): readonly Policy[] {
  if (file === undefined) return USUAL_POLICIES;
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`Expected a file of policies that can be read at ${file}, but ${reasonOf(error)}.`);
  }
  return parsePolicies(text, file);
}

/** Those of `policies` that are named, in their order, and what they are measured against. */
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

/** Where the page goes; never onto a session that it is about. */
function pageTarget({ output, force }: CompareOptions, files: readonly string[]): OutputTarget | undefined {
  if (output === undefined) return undefined;
  const status = statSync(output, { throwIfNoEntry: false });
  const isInput = status !== undefined && files.some((file) => realOf(file) === realOf(output));
  const identity = isInput ? `${status.dev}:${status.ino}` : '';
  return outputTarget(output, { mode: PAGE_MODE, identity }, force ?? false);
}

function realOf(file: string): string | undefined {
  try {
    return realpathSync(file);
  } catch {
    return undefined;
  }
}

async function compare(named: readonly string[], options: CompareOptions): Promise<void> {
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
    await compareOnThreads(left, { policies, threads: availableParallelism(), onDone });
  } finally {
    progress.stop();
  }
  const tookMs = known.size > 0 ? undefined : performance.now() - startedAt;
  compared.sort((one, other) => (one.path < other.path ? -1 : 1));
  if (skipped.length > 0) await notes.print(skippedNote(skipped));
  if (compared.length === 0) {
    throw new UsageError(`Expected at least one session, got none in ${named.join(', ')}.`);
  }
  if (target !== undefined) await writePage(target, { named, compared, skipped: skipped.length });
  if (target?.kind === 'stdout') return;
  if (options.json) for (const file of compared) await out.print(`${JSON.stringify(file)}\n`);
  else await out.print(comparisonTable(policyTotals(compared), { files: compared, tookMs, screen: out }));
}

/** Draws the comparison and puts it in its place, whole or not at all. */
async function writePage(
  target: OutputTarget,
  { named, compared, skipped }: { named: readonly string[]; compared: readonly ComparedFile[]; skipped: number },
): Promise<void> {
  const [first] = named;
  const page = comparisonPage({
    title: named.length === 1 && first !== undefined ? path.basename(path.resolve(first)) : `${named.length} places`,
    sessions: compared.length,
    sizeBytes: compared.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    totals: policyTotals(compared),
    sets: totalsBySet(compared),
    pricesAsOf: PRICES_AS_OF,
    usageNote: usageLine(compared),
    skipped,
    version: packageVersion(),
    madeOn: new Date().toISOString().slice(0, 10),
  });
  const bytes = new TextEncoder().encode(page);
  await writeOutput(target, [bytes]);
  if (target.kind === 'file') await terminal().notes.print(`Drawn in ${target.path} (${byteSize(bytes.length)}).\n`);
}

/** `density compare`: policies side by side over many sessions. */
export function addCompareCommand(program: Command): void {
  program
    .command('compare')
    .summary('set policies side by side: what they save, what was needed later, what it costs')
    .description(
      'Plays recorded sessions under several policies, named sets of settings, on all processors, and sets side by side what each saves, what of it later events needed with no visible copy left (regrets), and what the calls cost with a prefix cache. Changes no session and asks no model.',
    )
    .argument('<session...>', 'session files, and folders with sessions of any known format')
    .option('--policies <file>', 'a JSON object, by name the settings of each policy (default: the usual ones)')
    .option('--policy <name>', 'only this one of them; may be given again', (name, names: readonly string[] = []) => [
      ...names,
      name,
    ])
    .option('--results <file>', 'keep what is done in this file, and go on from it next time')
    .option('-o, --output <file>', 'also draw it as one HTML page; - is standard output, without the table')
    .option('--force', 'replace the output file if there is one')
    .option('--json', 'one JSON object per line, for each session, with every regret')
    .action(compare);
}
