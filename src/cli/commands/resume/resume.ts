import { existsSync } from 'node:fs';
import { type Command, Option } from 'commander';
import type { IContent } from '../../../content/content.ts';
import { liveHistory } from '../../../formats/contract.ts';
import { recordedCalls } from '../../../lab/recorded-bill.ts';
import { runInTerminal } from '../../../proxy/wrap/in-terminal.ts';
import { assertInstalled } from '../../../proxy/wrap/installed-command.ts';
import { perRule } from '../../../replay/result.ts';
import type { SmallerHistory } from '../../../replay/smaller.ts';
import { pathFromHome } from '../../../sessions/places/home-folder.ts';
import type { Rewritten } from '../../../sessions/rewritten.ts';
import { createEphemerals, resolveSetting, type SettingLayers } from '../../../settings/resolve.ts';
import { sessionArgument } from '../../options/session-argument.ts';
import { rewrittenFile, type SessionFile } from '../../options/session-file.ts';
import { modelOption } from '../../options/session-options.ts';
import { modelOf } from '../../options/session-summary.ts';
import { layersInForce } from '../../options/setting-sources.ts';
import {
  type AgentCommand,
  type Installation,
  installationOf,
  installedLine,
  placeOf,
  resumeCommand,
  sameInstallation,
  shellLine,
} from '../../output/installation.ts';
import { commandName, printNext } from '../../output/next-step.ts';
import type { OutputTarget } from '../../output/output-target.ts';
import { keepRemoved } from '../../output/removed-archive.ts';
import { transcriptPath } from '../../output/transcript.ts';
import { openForWriting } from '../../output/written-session.ts';
import { UsageError } from '../../terminal/failure.ts';
import { quoted } from '../../terminal/quoted.ts';
import { terminal } from '../../terminal/terminal.ts';
import { smallerContext } from '../prune/smaller-context.ts';
import { write } from '../prune/smaller-session.ts';
import { type ResumeCost, resumeCost } from './resume-cost.ts';
import { resumeReport } from './resume-report.ts';
import { resumedSession } from './resumed-session.ts';

interface ResumeOptions {
  readonly run?: boolean;
  readonly pick?: boolean;
  readonly always?: boolean;
  readonly model?: string;
  readonly json?: boolean;
}

/** A session that is about to be resumed, and a pruned one in its place. */
interface Prepared {
  readonly opened: SessionFile;
  readonly target: OutputTarget;
  readonly installation: Installation;
  /** The session as it is to be written. */
  readonly rewrote: Rewritten;
  /** True if an earlier run wrote it, and nobody went on from it. */
  readonly isWritten: boolean;
  readonly before: readonly IContent[];
  readonly made: SmallerHistory;
  readonly cost: ResumeCost;
  readonly now: Date;
  readonly layers: SettingLayers;
}

async function prepared(file: string, asked: string | undefined, isTrial: boolean): Promise<Prepared> {
  const now = new Date();
  let own: Installation | undefined;
  const place = (session: SessionFile): string => {
    own = installationOf(session, now);
    return isTrial ? '-' : placeOf(own);
  };
  const { opened, target } = await openForWriting(file, { output: place });
  const { session, format } = opened;
  const before = liveHistory(session);
  const model = modelOf(asked, recordedCalls(session).at(-1)?.model ?? session.model);
  const layers = await layersInForce({});
  const made = await smallerContext(opened, {
    before,
    model,
    engine: resolveSetting(layers, 'compression.engine'),
    ephemerals: createEphemerals(layers, { model }),
    compress: false,
    summarizer: undefined,
    transcriptPath: transcriptPath(target, opened, now),
  });
  const facts = { session, agent: format.name, model, before, after: made.history, nowMs: now.getTime() };
  const rewrote = await rewrittenFile(opened, made.history);
  const { installation, known } = sameInstallation(opened, { own: own!, step: rewrote.step, now });
  const isWritten = known !== undefined;
  return { opened, target, installation, rewrote, isWritten, before, made, cost: resumeCost(facts), now, layers };
}

/** Writes the pruned session where its agent finds it. */
async function install({ opened, target, installation, rewrote, before, made, now, layers }: Prepared): Promise<void> {
  if (resolveSetting(layers, 'compression.density.archive')) await keepRemoved({ before, after: made.history, layers });
  const path = transcriptPath(target, opened, now);
  await write(opened, target, { after: made.history, path, now, installation, rewrote });
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

/** The command that writes the pruned session. */
const makeCommand = (file: string, { always, model }: ResumeOptions): string =>
  [
    'density resume',
    commandName(file),
    ...(always ? ['--always'] : []),
    ...(model ? [`--model ${quoted(model)}`] : []),
  ].join(' ');

async function resume(named: string | undefined, options: ResumeOptions): Promise<void> {
  const { run = false, pick = false, always = false, json = false } = options;
  const file = await resumedSession(named, pick);
  const all = await prepared(file, options.model, json);
  const { opened, installation, isWritten, made, cost } = all;
  const { asItIs, pruned, decision } = cost;
  const isPruned = pruned.tokens < asItIs.tokens && (always || decision.apply.length > 0);
  const steps = isPruned ? installation.steps : [oldCommand(opened)];
  if (run) assertRunnable(steps[0]!, opened.session.workspaceRoot);
  if (isPruned && !isWritten && !json) await install(all);
  const line = shellLine(steps, opened.session.workspaceRoot);
  const { out } = terminal();
  if (json) {
    const { cause, reason } = decision;
    await out.print(
      `${JSON.stringify({
        file,
        format: opened.format.name,
        ...{ model: cost.model, idleMs: cost.idleMs ?? null, cache: cost.cache },
        ...{ tokens: asItIs.tokens, cachedTokens: asItIs.cachedTokens, dollars: asItIs.dollars ?? null },
        ...{ tokensAfter: pruned.tokens, dollarsAfter: pruned.dollars ?? null },
        ...{ decision: { cause, reason }, removed: perRule(made.removals, 'count') },
        ...(isPruned && !isWritten
          ? { output: null, resume: null, make: makeCommand(file, options) }
          : { output: isPruned ? installation.path : null, resume: line, make: null }),
      })}\n`,
    );
  } else {
    await out.print(resumeReport(opened, { cost, ...made }, out));
    if (isPruned) await out.print(installedLine(pathFromHome(installation.path), isWritten, out));
    if (!run) await printNext(line);
  }
  if (run) await runAgent(steps, opened.session.workspaceRoot);
}

/** `density resume`: a session at the moment when pruning is free. */
export function defineResume(command: Command): void {
  command.description(
    'Says what it costs to go on with a session of an agent now, as it is and pruned by the settings in force. If pruning pays, writes the pruned session beside the old one, where the agent finds it, and prints the command that resumes it; else the command that resumes the old one. The old session does not change.',
  );
  sessionArgument(
    command,
    'a session of Claude Code, Codex, Gemini CLI, opencode or pi',
    'the newest of this folder',
  ).addOption(new Option('--run', 'run that command here, instead of printing it').conflicts('json'));
  modelOption(command)
    .option('--pick', 'pick a session from a list')
    .option('--always', 'prune also where that costs more than it saves')
    .option('--json', 'one JSON object instead of a report; writes nothing')
    .action(resume);
}
