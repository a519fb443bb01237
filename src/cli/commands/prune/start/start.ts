import { existsSync } from 'node:fs';
import { runInTerminal } from '../../../../proxy/wrap/in-terminal.ts';
import { assertInstalled } from '../../../../proxy/wrap/installed-command.ts';
import { perRule } from '../../../../replay/result.ts';
import { isRemovableCopy } from '../../../../sessions/copies/written-copy.ts';
import { pathFromHome } from '../../../../sessions/places/home-folder.ts';
import type { SessionFile } from '../../../options/session-file.ts';
import { sessionPath } from '../../../options/session-path.ts';
import { settingsOf } from '../../../options/setting-options.ts';
import { layersInForce } from '../../../options/setting-sources.ts';
import { type AgentCommand, installedLine, resumeCommand, shellLine } from '../../../output/installation.ts';
import { commandName, printNext } from '../../../output/next-step.ts';
import { keepRemoved } from '../../../output/removed-archive.ts';
import { transcriptPath } from '../../../output/transcript.ts';
import { printJson, quoted, terminal, UsageError } from '../../../terminal/terminal.ts';
import type { OptimizeOptions } from '../optimize-options.ts';
import { write } from '../smaller-session.ts';
import { type Copy, type Prepared, prepared } from './prepared.ts';
import { isResumable } from './resumable.ts';
import { resumeReport } from './resume-report.ts';

/** Writes the copy where its agent finds it. */
async function install({ opened, target, before, now, layers }: Prepared, copy: Copy): Promise<void> {
  await keepRemoved({ before, after: copy.after, layers });
  await write(opened, target, {
    ...copy,
    path: transcriptPath(target, { source: opened, now, isInstalled: true }),
    now,
  });
}

/** The old session, as it is: one of a database was opened under a new id. */
function oldCommand({ format, session, bytes }: SessionFile): AgentCommand {
  const id = bytes.database === undefined ? session.id : bytes.path.slice(bytes.path.lastIndexOf('#') + 1);
  return resumeCommand(format.name, id ?? '')!;
}

/** @throws UsageError if the agent or the session's folder is not there: nothing is written then. */
function assertRunnable({ command }: AgentCommand, folder: string | undefined): void {
  assertInstalled(command, process.env);
  if (folder === undefined || existsSync(folder)) return;
  throw new UsageError(`Expected the folder of the session, ${folder}, but it does not exist any more.`);
}

/** Runs the commands of the agent in this terminal, one after the other; the first failure is the exit code. */
async function runAgent(steps: readonly AgentCommand[], folder: string | undefined): Promise<void> {
  for (const { command, parameters } of steps) {
    const code = await runInTerminal(command, parameters, { env: process.env, cwd: folder });
    if (code === 0) continue;
    process.exitCode = code;
    return;
  }
}

/** The command that writes the copy and starts the agent. */
const startCommand = (file: string, { install, countedAs }: OptimizeOptions): string =>
  [
    'density optimize',
    commandName(file),
    '--start',
    ...(install ? ['--install'] : []),
    ...(countedAs === undefined ? [] : [`--counted-as ${quoted(countedAs)}`]),
  ].join(' ');

/**
 * Starts the agent of a session with a copy of it: pruned if that pays, or with `--install` in any case. Without such a copy the
 * agent gets the session itself. `--dry-run` only says so.
 * @throws UsageError as `assertRunnable`, and for `--json` without `--dry-run`, where the agent would write to the same output.
 */
export async function startSession(named: string | undefined, options: OptimizeOptions): Promise<void> {
  const { install: isAlways = false, dryRun: isTrial = false, json = false } = options;
  if (json && !isTrial)
    throw new UsageError('Expected --dry-run with --start and --json: the agent writes to this output.');
  const file = await sessionPath(named, (found) => isResumable(found) && !isRemovableCopy(found.path));
  const layers = await layersInForce(settingsOf({ ...options }));
  const all = await prepared(file, { asked: options.countedAs, isAlways, isTrial, layers });
  const { opened, made, cost, copy } = all;
  const { asItIs, pruned, decision } = cost;
  const isMade = copy?.isWritten === false;
  const steps = copy?.installation.steps ?? [oldCommand(opened)];
  if (!isTrial) assertRunnable(steps[0]!, opened.session.workspaceRoot);
  if (isMade && !isTrial) await install(all, copy);
  const line = shellLine(steps, opened.session.workspaceRoot);
  const { out } = terminal();
  if (json) {
    const { cause, reason } = decision;
    await printJson({
      file,
      format: opened.format.name,
      model: cost.model,
      idleMs: cost.idleMs ?? null,
      cache: cost.cache,
      tokens: asItIs.tokens,
      cachedTokens: asItIs.cachedTokens,
      dollars: asItIs.dollars ?? null,
      tokensAfter: pruned.tokens,
      dollarsAfter: pruned.dollars ?? null,
      decision: { cause, reason },
      removed: perRule(made.removals, 'count'),
      sentForms: all.sentForms,
      ...(isMade
        ? { output: null, resume: null, make: startCommand(file, options) }
        : { output: copy?.installation.path ?? null, resume: line, make: null }),
    });
  } else {
    await out.print(resumeReport(opened, { cost, ...made, sentForms: all.sentForms }, out));
    if (copy && (copy.isWritten || !isTrial))
      await out.print(installedLine(pathFromHome(copy.installation.path), copy.isWritten, out));
    if (isTrial) {
      await out.print('Nothing was written.\n');
      await printNext(startCommand(file, options));
    }
  }
  if (!isTrial) await runAgent(steps, opened.session.workspaceRoot);
}
