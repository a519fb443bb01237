import { realpathSync } from 'node:fs';
import path from 'node:path';
import { compactMessages } from '../../../compaction/compact.ts';
import type { CompactOptions, CompactStats, Message, ReadTools } from '../../../compaction/contract.ts';
import { planCompaction } from '../../../compaction/plan.ts';
import { restoredPaths } from '../../../compaction/restore/file-reads.ts';
import { historyOf, messagesOf } from '../../../compaction/session-messages.ts';
import { DEFAULT_SUMMARY_MODEL } from '../../../compaction/settings.ts';
import type { ToolVocabulary } from '../../../content/vocabularies/vocabulary.ts';
import { fileStatus } from '../../../disk/file-status.ts';
import { CompressionStrategyError } from '../../../errors.ts';
import { liveHistory } from '../../../formats/contract.ts';
import { SESSION_FORMATS } from '../../../formats/index.ts';
import { counted } from '../../../report/figures.ts';
import type { AskedModel } from '../../options/asked-model.ts';
import { openSession, type SessionFile } from '../../options/session-file.ts';
import { sessionPath } from '../../options/session-path.ts';
import { skippedNote } from '../../options/session-summary.ts';
import { printNext } from '../../output/next-step.ts';
import { outputTarget, reportScreen, writtenLine } from '../../output/output-target.ts';
import { hiddenLine, redactorOf } from '../../output/redaction.ts';
import { writeOutput } from '../../output/written-session.ts';
import { printable, printJson, quoted, type Screen, terminal, UsageError } from '../../terminal/terminal.ts';
import type { OptimizeOptions } from './optimize-options.ts';
import { changeLine } from './removal-table.ts';

/** @throws CompressionStrategyError `SESSION_NOT_WRITABLE` if the format cannot create a session. */
function assertCreatable({ format, name }: SessionFile): void {
  if (format.create !== undefined) return;
  const known = SESSION_FORMATS.filter(({ create }) => create !== undefined).map((each) => each.name);
  throw new CompressionStrategyError(
    `Expected a session in a format that can be written as messages (${known.join(', ')}), got ${format.name} in ${name}. --dry-run shows what would be sent.`,
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
  const { dim } = screen.colors;
  const lines = [
    changeLine(stats.originalTokenCount, stats.compactedTokenCount, { screen, what: 'removed' }),
    `${counted(stats.compactedMessageCount, 'message')} summarised, ${counted(stats.retainedMessageCount, 'message')} kept`,
    ...restoredLines(files, stats.restoredTokenCount, screen.colors),
    ...(kept === null ? [] : [`${dim('the original messages are kept in')} ${printable(kept)}`]),
  ];
  return `${lines.join('\n')}\n${writtenLine(output, screen)}`;
}

/** What `density optimize --model` takes. */
type SummarisedOptions = OptimizeOptions & { readonly model: AskedModel };

/** Every session has more tokens than this, so the command always compacts. */
const ANY_TOKENS = 1e-9;
/** Longer than for a running agent: here a person waits and sees the progress. */
const DEADLINE_MS = 300_000;

/** The tools of an agent that read files, with the parameters that contain paths. */
function readToolsOf({ tools }: ToolVocabulary): ReadTools {
  const reading = Object.entries(tools).filter(([, { role, pathKeys }]) => role === 'read' && pathKeys !== undefined);
  return Object.fromEntries(reading.map(([name, { pathKeys = [] }]) => [name, pathKeys]));
}

/** The recorded folder if it exists here, else the current one. */
function workDirOf({ session: { workspaceRoot } }: SessionFile): string {
  const isHere = workspaceRoot !== undefined && fileStatus(workspaceRoot)?.isDirectory();
  return isHere ? realpathSync(workspaceRoot) : process.cwd();
}

/** The options of the library for a session; its warnings and errors are printed on `notes`. */
function compactOptions(opened: SessionFile, { model: { name } }: SummarisedOptions, notes: Screen): CompactOptions {
  const say = (message: string): void =>
    void notes.print(notes.colors.yellow(`${printable(message)}\n`)).catch(() => {});
  return {
    contextTokenLimit: ANY_TOKENS,
    deadlineMs: DEADLINE_MS,
    workDir: workDirOf(opened),
    readTools: readToolsOf(opened.format.vocabulary),
    sessionId: opened.session.id ?? path.basename(opened.name),
    logger: {
      info: () => {},
      // This warning is always true with the limit `ANY_TOKENS`.
      warn: (message) => message.startsWith('The compacted messages still') || say(message),
      error: say,
    },
    summaryModel: name ?? DEFAULT_SUMMARY_MODEL,
  };
}

/** Prints what a compaction would summarise and restore. */
async function printPlan(
  messages: Message[],
  settings: CompactOptions,
  { json, ...options }: SummarisedOptions,
): Promise<void> {
  const { out, notes } = terminal();
  const plan = await planCompaction(messages, settings);
  const { tokens, headMessages, restMessages, promptTokens, restored } = plan;
  const redactor = redactorOf(options);
  const prompt = redactor?.text(plan.prompt) ?? plan.prompt;
  const files = restored.messages.flatMap(restoredPaths);
  if (json)
    return printJson({
      tokens,
      headMessages,
      restMessages,
      promptTokens,
      restored: files,
      restoredTokens: restored.totalTokens,
      prompt,
      secretsHidden: redactor?.hidden ?? null,
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

/**
 * Starts a session again: a model summarises it, and the files that it read last are read again. `--dry-run` asks no model.
 * @throws CompressionStrategyError if it cannot be read, summarised or written; no file remains then.
 */
export async function writeSummarised(named: string | undefined, options: SummarisedOptions): Promise<void> {
  if (options.model.provider !== 'anthropic') {
    throw new UsageError(
      `Expected a model of Anthropic where no --strategy is named, got "${options.model.text}". Other models write the summary of \`--strategy one-shot\`.`,
    );
  }
  if (options.install) {
    throw new UsageError('Expected -o <file> where no --strategy is named: the result is another session, not a copy.');
  }
  const file = await sessionPath(named);
  const { notes } = terminal();
  const opened = await openSession(file, options.format);
  const { recorded: session } = opened;
  const settings = compactOptions(opened, options, notes);
  const messages = messagesOf(liveHistory(session), session.systemText);
  await notes.print(skippedNote(opened, notes));
  if (options.dryRun ?? (options.output === undefined && terminal().out.isLive))
    return printPlan(messages, settings, options);
  assertCreatable(opened);
  if (options.output === undefined) {
    throw new UsageError(
      'Expected -o <file> for the new session (- is standard output), or --dry-run to see what would be sent.',
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
