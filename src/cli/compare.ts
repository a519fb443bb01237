import { appendFileSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import type { Command } from 'commander';
import { CompressionStrategyError } from '../errors.ts';
import type { ComparedFile } from '../replay/fidelity/compared-file.ts';
import { compareOnThreads, type FileOutcome } from '../replay/fidelity/comparison-threads.ts';
import { type Policy, parsePolicies, USUAL_POLICIES } from '../replay/fidelity/policy.ts';
import { policyTotals } from '../replay/fidelity/totals.ts';
import { reasonOf } from '../replay/file-bytes.ts';
import { comparisonTable } from './compare-report.ts';
import { reportFailure, UsageError } from './failure.ts';
import { startProgress } from './progress.ts';
import { terminal } from './terminal.ts';

interface CompareOptions {
  readonly policies?: string;
  readonly results?: string;
  readonly json?: boolean;
}

/** What sessions are written as; in a folder other files are not looked at. */
const SESSION_FILE = /\.(?:jsonl?|traj|md)$/;

/** The session files that are meant, each once: files as they are named, folders with all that is in them. */
function sessionFiles(named: readonly string[]): { files: string[]; fromFolders: ReadonlySet<string> } {
  const files = new Set<string>();
  const fromFolders = new Set<string>();
  for (const name of named) {
    const isFolder = existsSync(name) && statSync(name).isDirectory();
    if (!isFolder) files.add(name);
    else {
      for (const found of readdirSync(name, { recursive: true, encoding: 'utf8' }).sort()) {
        const file = path.join(name, found);
        if (!SESSION_FILE.test(found) || !statSync(file).isFile()) continue;
        files.add(file);
        fromFolders.add(file);
      }
    }
  }
  return { files: [...files], fromFolders };
}

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

/** What was compared in an earlier run with the same policies, by path, of files that did not change since. */
function earlierResults(results: string | undefined, policies: readonly Policy[]): Map<string, ComparedFile> {
  const known = new Map<string, ComparedFile>();
  if (results === undefined || !existsSync(results)) return known;
  for (const line of readFileSync(results, 'utf8').split('\n')) {
    try {
      const record = JSON.parse(line) as { policies: unknown; file: ComparedFile };
      const isSame = JSON.stringify(record.policies) === JSON.stringify(policies);
      if (isSame && statSync(record.file.path).size === record.file.sizeBytes) known.set(record.file.path, record.file);
    } catch {
      // The last line of a run that was ended is cut short, and a file may be gone: it is compared again.
    }
  }
  return known;
}

async function compare(named: readonly string[], options: CompareOptions): Promise<void> {
  const { out, notes } = terminal();
  const policies = policiesFrom(options.policies);
  const { files, fromFolders } = sessionFiles(named);
  const known = earlierResults(options.results, policies);
  const compared = files.flatMap((file) => known.get(file) ?? []);
  let passedOver = 0;
  let done = compared.length;
  const progress = startProgress('comparing', files.length);
  const onDone = async (outcome: FileOutcome): Promise<void> => {
    done++;
    if ('file' in outcome) {
      compared.push(outcome.file);
      if (options.results !== undefined) {
        appendFileSync(options.results, `${JSON.stringify({ policies, file: outcome.file })}\n`);
      }
    } else if (fromFolders.has(outcome.path) && outcome.error instanceof CompressionStrategyError) passedOver++;
    else {
      progress.clear();
      await reportFailure(outcome.error);
    }
    progress.update(done);
  };
  const startedAt = performance.now();
  try {
    const left = files.filter((file) => !known.has(file));
    await compareOnThreads(left, { policies, threads: availableParallelism(), onDone });
  } finally {
    progress.stop();
  }
  const tookMs = known.size > 0 ? undefined : performance.now() - startedAt;
  compared.sort((one, other) => (one.path < other.path ? -1 : 1));
  if (passedOver > 0) await notes.print(`${passedOver} files in folders hold no session that can be read.\n`);
  if (compared.length === 0) {
    throw new UsageError(`Expected at least one session, got none in ${named.join(', ')}.`);
  }
  if (options.json) for (const file of compared) await out.print(`${JSON.stringify(file)}\n`);
  else await out.print(comparisonTable(policyTotals(compared), { files: compared, tookMs, screen: out }));
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
    .option('--results <file>', 'keep what is done in this file, and go on from it next time')
    .option('--json', 'one JSON object per line, for each session, with every regret')
    .action(compare);
}
