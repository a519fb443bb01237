import { existsSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { runInTerminal } from '../../../proxy/wrap/in-terminal.ts';
import { assertInstalled } from '../../../proxy/wrap/installed-command.ts';
import { perRule } from '../../../replay/result.ts';
import { pathFromHome } from '../../../sessions/places/home-folder.ts';
import { foundSessions } from '../../../sessions/places/session-places.ts';
import { modelOption, type SessionFile } from '../../options/session-file.ts';
import { sessionArgument, sessionPath } from '../../options/session-path.ts';
import { type AgentCommand, installedLine, resumeCommand, shellLine } from '../../output/installation.ts';
import { commandName, printNext } from '../../output/next-step.ts';
import { keepRemoved } from '../../output/removed-archive.ts';
import { transcriptPath } from '../../output/transcript.ts';
import { canPick } from '../../picker/picked-session.ts';
import { chosenLine, firstOriginal, newestSessions } from '../../picker/session-by-id.ts';
import { printJson, quoted, terminal, UsageError } from '../../terminal/terminal.ts';
import { write } from '../prune/smaller-session.ts';
import { type Copy, type Prepared, prepared } from './prepared.ts';
import { isResumable, RESUMING_AGENTS } from './resumable.ts';
import { resumeReport } from './resume-report.ts';

interface ResumeOptions {
  readonly run?: boolean;
  readonly pick?: boolean;
  readonly always?: boolean;
  readonly model?: string;
  readonly json?: boolean;
}

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

/** The command that writes the copy. */
const makeCommand = (file: string, { always, model }: ResumeOptions): string =>
  [
    'density resume',
    commandName(file),
    ...(always ? ['--always'] : []),
    ...(model ? [`--model ${quoted(model)}`] : []),
  ].join(' ');

/**
 * The path of the session to resume: the named one, else the newest of this folder, else one that the user picks.
 * @throws as `sessionPath`; UsageError if this folder has none and nobody can be asked.
 */
async function resumedSession(named: string | undefined, isPicked: boolean): Promise<string> {
  if (named !== undefined) return sessionPath(named);
  const { sessions, ofThisFolder } = newestSessions();
  const newest = firstOriginal(sessions.slice(0, ofThisFolder), isResumable);
  if (newest !== undefined && !isPicked) {
    await terminal().notes.print(chosenLine(newest, true));
    return newest.path;
  }
  if (!canPick()) {
    throw new UsageError(
      `Expected the id of a session, because none of ${RESUMING_AGENTS.join(', ')} was started in this folder. \`density sessions\` lists the ids.`,
    );
  }
  const resumable = new Set(
    foundSessions()
      .filter(isResumable)
      .map(({ path: file }) => file),
  );
  return sessionPath(undefined, (file) => resumable.has(file));
}

async function resume(named: string | undefined, options: ResumeOptions): Promise<void> {
  const { run = false, pick = false, always: isAlways = false, json: isTrial = false } = options;
  const file = await resumedSession(named, pick);
  const all = await prepared(file, { asked: options.model, isAlways, isTrial });
  const { opened, made, cost, copy } = all;
  const { asItIs, pruned, decision } = cost;
  const isMade = copy?.isWritten === false;
  const steps = copy?.installation.steps ?? [oldCommand(opened)];
  if (run) assertRunnable(steps[0]!, opened.session.workspaceRoot);
  if (isMade && !isTrial) await install(all, copy);
  const line = shellLine(steps, opened.session.workspaceRoot);
  const { out } = terminal();
  if (isTrial) {
    const { cause, reason } = decision;
    await printJson({
      file,
      format: opened.format.name,
      ...{ model: cost.model, idleMs: cost.idleMs ?? null, cache: cost.cache },
      ...{ tokens: asItIs.tokens, cachedTokens: asItIs.cachedTokens, dollars: asItIs.dollars ?? null },
      ...{ tokensAfter: pruned.tokens, dollarsAfter: pruned.dollars ?? null },
      ...{ decision: { cause, reason }, removed: perRule(made.removals, 'count') },
      sentForms: all.sentForms,
      ...(isMade
        ? { output: null, resume: null, make: makeCommand(file, options) }
        : { output: copy?.installation.path ?? null, resume: line, make: null }),
    });
  } else {
    await out.print(resumeReport(opened, { cost, ...made, sentForms: all.sentForms }, out));
    if (copy) await out.print(installedLine(pathFromHome(copy.installation.path), copy.isWritten, out));
    if (!run) await printNext(line);
  }
  if (run) await runAgent(steps, opened.session.workspaceRoot);
}

/** `density resume`: a session at the moment when pruning is free. */
export function defineResume(command: Command): void {
  command.description(
    'Says what it costs to continue a session of an agent now, without pruning and pruned by your settings. Writes a copy beside the old session, where the agent finds it, in two cases: pruning pays, or `density wrap` or `density proxy` sent some of it in shorter forms. The copy has the texts that were sent, and is pruned if that pays. Prints the command that resumes the copy, or the old session if there is no copy. The old session does not change.',
  );
  sessionArgument(
    command,
    'a session of Claude Code, Codex, Gemini CLI, opencode or pi',
    'the newest session of this folder',
  ).addOption(new Option('--run', 'run the command that resumes, instead of printing it').conflicts('json'));
  modelOption(command)
    .option('--pick', 'pick a session from a list')
    .option('--always', 'prune even if that costs more than it saves')
    .option('--json', 'one JSON object instead of a report; writes nothing')
    .action(resume);
}
