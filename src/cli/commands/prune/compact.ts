import { realpathSync } from 'node:fs';
import path from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { compactMessages } from '../../../compaction/compact.ts';
import type { CompactOptions, CompactStats, Message, ReadTools } from '../../../compaction/contract.ts';
import { planCompaction } from '../../../compaction/plan.ts';
import { restoredPaths } from '../../../compaction/restore/file-reads.ts';
import { historyOf, messagesOf } from '../../../compaction/session-messages.ts';
import type { ToolVocabulary } from '../../../content/vocabularies/vocabulary.ts';
import { fileStatus } from '../../../disk/file-status.ts';
import { CompressionStrategyError } from '../../../errors.ts';
import { liveHistory } from '../../../formats/contract.ts';
import { SESSION_FORMATS } from '../../../formats/index.ts';
import { counted, grouped, percent } from '../../../report/figures.ts';
import { formatOption, openSession, type ReadOptions, type SessionFile } from '../../options/session-file.ts';
import { sessionArgument, sessionPath } from '../../options/session-path.ts';
import { skippedNote } from '../../options/session-summary.ts';
import { printNext } from '../../output/next-step.ts';
import { forceOption, outputTarget, reportScreen, writtenLine } from '../../output/output-target.ts';
import { hiddenLine, type RedactOptions, redactOption, redactorOf } from '../../output/redaction.ts';
import { writeOutput } from '../../output/written-session.ts';
import { printable, printJson, quoted, type Screen, terminal } from '../../terminal/terminal.ts';

/** @throws CompressionStrategyError `SESSION_NOT_WRITABLE` if the format cannot create a session. */
function assertCreatable({ format, name }: SessionFile): void {
  if (format.create !== undefined) return;
  const known = SESSION_FORMATS.filter(({ create }) => create !== undefined).map((each) => each.name);
  throw new CompressionStrategyError(
    `Expected a session in a format that can be written as messages (${known.join(', ')}), got ${format.name} in ${name}. Use --dry-run to see what would be summarised.`,
    'SESSION_NOT_WRITABLE',
  );
}

function restoredLines(files: readonly string[], tokens: number, { dim }: Screen['colors']): string[] {
  if (files.length === 0) return [dim('no file restored')];
  return [
    `${counted(files.length, 'file')} restored, ${counted(tokens, 'token')}`,
    ...files.map((file) => `  ${printable(file)}`),
  ];
}

/** The result of a compaction, for a person. */
function compactReport(
  stats: CompactStats,
  { files, kept, output, screen }: { files: readonly string[]; kept: string | null; output: string; screen: Screen },
): string {
  const { bold, green, dim } = screen.colors;
  const { originalTokenCount: before, compactedTokenCount: after } = stats;
  const saved = before - after;
  const lines = [
    `${bold(`${grouped(before)} → ${counted(after, 'token')}`)}, ${green(`${percent(saved, before)} smaller`)}`,
    `${counted(stats.compactedMessageCount, 'message')} summarised, ${counted(stats.retainedMessageCount, 'message')} kept`,
    ...restoredLines(files, stats.restoredTokenCount, screen.colors),
    ...(kept === null ? [] : [`${dim('the original messages are kept in')} ${printable(kept)}`]),
  ];
  return `${lines.join('\n')}\n${writtenLine(output, screen)}`;
}

/** Options of `density compact`. */
interface CompactCommandOptions extends Omit<ReadOptions, 'model' | 'contextLimit'>, RedactOptions {
  readonly output?: string;
  readonly dryRun?: boolean;
  readonly force?: boolean;
  readonly json?: boolean;
  readonly workDir?: string;
  readonly outputDir?: string;
  readonly summaryModel?: string;
  readonly maxWords?: number;
  readonly maxFiles?: number;
}

/** Every session has more tokens than this, so the command always compacts. */
const ANY_TOKENS = 1e-9;
/** Longer than for a running agent: here a person waits and sees the progress. */
const DEADLINE_MS = 300_000;

/** The tools of an agent that read files, with the parameters that contain paths. */
function readToolsOf({ tools }: ToolVocabulary): ReadTools {
  const reading = Object.entries(tools).filter(([, { role, pathKeys }]) => role === 'read' && pathKeys !== undefined);
  return Object.fromEntries(reading.map(([name, { pathKeys = [] }]) => [name, pathKeys]));
}

/** The folder that was asked for, else the recorded one if it exists here, else the current one. */
function workDirOf({ session }: SessionFile, asked: string | undefined): string {
  const recorded = session.workspaceRoot;
  if (asked !== undefined) return path.resolve(asked);
  return recorded !== undefined && fileStatus(recorded)?.isDirectory() ? realpathSync(recorded) : process.cwd();
}

/** The options of the library for a session; its warnings and errors are printed on `notes`. */
function compactOptions(opened: SessionFile, options: CompactCommandOptions, notes: Screen): CompactOptions {
  const { summaryModel, maxWords, maxFiles, outputDir } = options;
  const say = (message: string): void =>
    void notes.print(notes.colors.yellow(`${printable(message)}\n`)).catch(() => {});
  return {
    contextTokenLimit: ANY_TOKENS,
    deadlineMs: DEADLINE_MS,
    workDir: workDirOf(opened, options.workDir),
    readTools: readToolsOf(opened.format.vocabulary),
    sessionId: opened.session.id ?? path.basename(opened.name),
    logger: {
      info: () => {},
      // This warning is always true with the limit `ANY_TOKENS`.
      warn: (message) => message.startsWith('The compacted messages still') || say(message),
      error: say,
    },
    ...(summaryModel !== undefined && { summaryModel }),
    ...(maxWords !== undefined && { summaryMaxWords: maxWords }),
    ...(maxFiles !== undefined && { maxRestoreFiles: maxFiles }),
    ...(outputDir !== undefined && { outputDir }),
  };
}

/** Prints what a compaction would summarise and restore. */
async function printPlan(
  messages: Message[],
  settings: CompactOptions,
  { json, ...options }: CompactCommandOptions,
): Promise<void> {
  const { out, notes } = terminal();
  const plan = await planCompaction(messages, settings);
  const { tokens, headMessages, restMessages, promptTokens, restored } = plan;
  const redactor = redactorOf(options);
  const prompt = redactor?.text(plan.prompt) ?? plan.prompt;
  const files = restored.messages.flatMap(restoredPaths);
  if (json)
    return printJson({
      ...{ tokens, headMessages, restMessages, promptTokens },
      ...{ restored: files, restoredTokens: restored.totalTokens },
      ...{ prompt, secretsHidden: redactor?.hidden ?? null },
    });
  const { bold, dim } = out.colors;
  const lines = [
    `${bold(`${counted(tokens, 'token')}`)}: ${counted(restMessages, 'message')} to summarise, ${counted(headMessages, 'message')} kept`,
    ...restoredLines(files, restored.totalTokens, out.colors),
    dim(`the prompt for the model, ${counted(promptTokens, 'token')}:`),
    '',
    prompt,
  ];
  await out.print(`${lines.join('\n')}\n`);
  await notes.print(hiddenLine(redactor, notes.colors.dim));
}

async function compact(named: string | undefined, options: CompactCommandOptions): Promise<void> {
  const file = await sessionPath(named);
  const { notes } = terminal();
  const opened = await openSession(file, options.format);
  const { recorded: session } = opened;
  const settings = compactOptions(opened, options, notes);
  const messages = messagesOf(liveHistory(session), session.systemText);
  await notes.print(skippedNote(opened, notes));
  if (options.dryRun) return printPlan(messages, settings, options);
  assertCreatable(opened);
  if (options.output === undefined) {
    throw new CompressionStrategyError(
      'Expected -o <file> to write the compacted session to (- is standard output), or --dry-run to see what would be done.',
      'USAGE',
    );
  }
  const target = outputTarget(options.output, opened.bytes, options.force ?? false);
  const controller = new AbortController();
  let stoppedBy: NodeJS.Signals | undefined;
  const stop = (signal: NodeJS.Signals): void => {
    stoppedBy = signal;
    controller.abort();
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    const result = await compactMessages(messages, { ...settings, signal: controller.signal });
    if (result.stats === null) {
      throw new CompressionStrategyError(
        'Expected a summary of the session, got none; see the reason above. Nothing was written.',
        'EXECUTION_FAILED',
      );
    }
    const { id, model, workspaceRoot } = opened.session;
    const pieces = opened.format.create!(historyOf(result.messages), {
      id: id ?? path.basename(opened.name),
      startedAt: Date.now(),
      ...(model !== undefined && { model }),
      ...(workspaceRoot !== undefined && { workspaceRoot }),
    });
    await writeOutput(target, pieces);
    const files = result.messages.flatMap(restoredPaths);
    const screen = reportScreen(target);
    const { stats, originalMessagesPath: kept } = result;
    await screen.print(
      options.json
        ? `${JSON.stringify({ file, output: options.output, ...stats, restored: files, originalMessagesPath: kept })}\n`
        : compactReport(stats, { files, kept, output: options.output, screen }),
    );
    if (!options.json && options.output !== '-') await printNext(`density inspect ${quoted(options.output)}`);
  } finally {
    process.removeListener('SIGINT', stop).removeListener('SIGTERM', stop);
    // Unfinished files are deleted by now. End the process as the signal would have done.
    if (stoppedBy !== undefined) process.kill(process.pid, stoppedBy);
  }
}

function parseCount(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Expected a whole number.');
}

/** `density compact`: starts a session again from a summary and the files it read last. */
export function defineCompact(command: Command): void {
  sessionArgument(
    command.description(
      'Starts a session again. A model summarises the session, and the files that it read last are read from disk again. Both become a new session in the same format. The original messages are kept. The command needs ANTHROPIC_API_KEY, except with --dry-run, which asks no model and hides keys, tokens and passwords of known shapes.',
    ),
    'a session file of a format that can be written',
  );
  forceOption(redactOption(formatOption(command)))
    .option('-o, --output <file>', 'the file to write; - is standard output')
    .option('--dry-run', 'show what would be summarised and restored, and ask no model')
    .option(
      '--work-dir <folder>',
      'restore files of this folder (default: the recorded folder, otherwise the current folder)',
    )
    .option('--output-dir <folder>', 'keep the original messages in this folder (default: .compact)')
    .option('--summary-model <name>', 'the model that summarises (default: claude-haiku-4-5-20251001)')
    .addOption(
      new Option('--max-words <count>', 'the most words that the summary may have (default: 1200)').argParser(
        parseCount,
      ),
    )
    .addOption(new Option('--max-files <count>', 'the most files to restore (default: 5)').argParser(parseCount))
    .option('--json', 'report as one JSON object')
    .action((file: string | undefined, options: CompactCommandOptions) => compact(file, options));
}
