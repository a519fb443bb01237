import path from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { compactMessages } from '../../../compaction/compact.ts';
import type { MessageLike } from '../../../compaction/message.ts';
import { historyOf, messagesOf } from '../../../compaction/session-messages.ts';
import { CompressionStrategyError } from '../../../errors.ts';
import { liveHistory } from '../../../formats/contract.ts';
import { SESSION_FORMATS } from '../../../formats/index.ts';
import { sessionArgument } from '../../options/session-argument.ts';
import { openSession, type SessionFile } from '../../options/session-file.ts';
import { formatOption } from '../../options/session-options.ts';
import { sessionPath } from '../../options/session-path.ts';
import { skippedNote } from '../../options/session-summary.ts';
import { printNext } from '../../output/next-step.ts';
import { forceOption } from '../../output/output-options.ts';
import { type OutputTarget, outputTarget, reportScreen } from '../../output/output-target.ts';
import { redactOption } from '../../output/redaction.ts';
import { writeOutput } from '../../output/written-session.ts';
import { quoted } from '../../terminal/quoted.ts';
import { terminal } from '../../terminal/terminal.ts';
import { type CompactCommandOptions, compactOptions } from './compact-options.ts';
import { compactReport, printPlan, restoredPaths } from './compact-report.ts';

/** @throws CompressionStrategyError `SESSION_NOT_WRITABLE` if the format cannot create a session. */
function assertCreatable({ format, name }: SessionFile): void {
  if (format.create !== undefined) return;
  const known = SESSION_FORMATS.filter(({ create }) => create !== undefined).map((each) => each.name);
  throw new CompressionStrategyError(
    `Expected a session in a format that can be written as messages (${known.join(', ')}), got ${format.name} in ${name}. Use --dry-run to see what would be summarised.`,
    'SESSION_NOT_WRITABLE',
  );
}

async function writeMessages(
  opened: SessionFile,
  { target, messages }: { target: OutputTarget; messages: readonly MessageLike[] },
): Promise<void> {
  const { id, model, workspaceRoot } = opened.session;
  const pieces = opened.format.create!(historyOf(messages), {
    id: id ?? path.basename(opened.name),
    startedAt: Date.now(),
    ...(model !== undefined && { model }),
    ...(workspaceRoot !== undefined && { workspaceRoot }),
  });
  await writeOutput(target, pieces);
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
    await writeMessages(opened, { target, messages: result.messages });
    const files = restoredPaths(result.messages);
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
