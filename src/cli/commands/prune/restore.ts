import { type Command, Option } from 'commander';
import type { IContent } from '../../../content/content.ts';
import { fileBytes } from '../../../disk/file-bytes.ts';
import { CompressionStrategyError } from '../../../errors.ts';
import { liveHistory } from '../../../formats/contract.ts';
import { counted } from '../../../report/figures.ts';
import { transcriptOf } from '../../../sessions/copies/family.ts';
import { TRANSCRIPT_SUFFIX } from '../../../sessions/places/transcript-file.ts';
import { type RestoredSession, restoredSession } from '../../../sessions/restored-session.ts';
import { formatOption, type ReadOptions, type SessionFile } from '../../options/session-file.ts';
import { sessionArgument, sessionPath } from '../../options/session-path.ts';
import { printNext } from '../../output/next-step.ts';
import { outputOptions, reportScreen, writtenLine } from '../../output/output-target.ts';
import { writtenRuns } from '../../output/transcript.ts';
import { openForWriting, pendingCompanion, writeOutput } from '../../output/written-session.ts';

import { quoted, UsageError } from '../../terminal/terminal.ts';

interface RestoreOptions extends ReadOptions {
  readonly output?: string;
  readonly archive?: boolean;
  readonly delete?: string;
  readonly transcript?: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

/**
 * Undoes the last run that led to this session. The transcript may contain a later run whose output was never written.
 * @throws CompressionStrategyError the error of the last run, with the path of the transcript before its message.
 */
function withoutLastRun(
  { format, lines }: SessionFile,
  now: readonly IContent[],
  transcript: string,
): RestoredSession & { readonly restored: number } {
  let refusal: CompressionStrategyError | undefined;
  for (const run of writtenRuns(transcript)) {
    try {
      return { ...restoredSession({ format, lines, now }, run), restored: run.removed.length };
    } catch (error) {
      if (!(error instanceof CompressionStrategyError)) throw error;
      refusal ??= error;
      if (error.code !== 'HISTORY_CHANGED') break;
    }
  }
  const { message = '', code = 'SESSION_UNREADABLE', cause } = refusal ?? {};
  throw new CompressionStrategyError(`${transcript}: ${message}`, code, { cause });
}

/** @throws CompressionStrategyError `SESSION_UNREADABLE` if there is no transcript. */
function knownTranscript(file: string): string {
  const transcript = transcriptOf(file);
  if (transcript !== undefined) return transcript;
  throw new CompressionStrategyError(
    `Expected the entries removed from ${file} in ${file}${TRANSCRIPT_SUFFIX}, but there is no such file. Either nothing was removed, or the transcript is elsewhere: name it with --transcript <file>.`,
    'SESSION_UNREADABLE',
  );
}

async function restore(
  named: string | undefined,
  { archive: isArchive = false, delete: deleted, output, ...options }: RestoreOptions,
): Promise<void> {
  if (isArchive || deleted !== undefined) {
    if (named !== undefined)
      throw new UsageError('Expected no session with --archive and --delete: they restore none.');
    return (await import('./kept-text.ts')).keptText({ deleted, json: options.json });
  }
  if (output === undefined)
    throw new UsageError("Expected the required option '-o, --output <file>'; - is standard output.");
  return writeRestored(named, { ...options, output });
}

async function writeRestored(
  named: string | undefined,
  options: RestoreOptions & { readonly output: string },
): Promise<void> {
  const file = await sessionPath(named, ({ path: found }) => transcriptOf(found) !== undefined);
  const { opened, target } = await openForWriting(file, options);
  const now = liveHistory(opened.recorded);
  const transcript = options.transcript ?? knownTranscript(file);
  const { history, change, restored, pieces, blocksAsText } = withoutLastRun(opened, now, transcript);
  if (
    target.kind === 'file' &&
    target.mayReplace &&
    fileBytes(target.path).identity === fileBytes(transcript).identity
  ) {
    throw new CompressionStrategyError(
      `Expected a file other than the transcript itself, got ${options.output}. The transcript is needed to undo the run; name a new file.`,
      'OUTPUT_FAILED',
    );
  }
  await writeOutput(target, pieces, [await pendingCompanion(opened, target, change)]);
  const screen = reportScreen(target);
  if (options.json) {
    const facts = { file, output: options.output, transcript, format: opened.format.name };
    const numbers = { entries: now.length, entriesAfter: history.length, restored, blocksAsText };
    return screen.print(`${JSON.stringify({ ...facts, ...numbers })}\n`);
  }
  const asText =
    blocksAsText === 0
      ? ''
      : `${counted(blocksAsText, 'block')} came back as text: the file changed since, and its format has no other place for them.\n`;
  const was = counted(now.length, 'entry', 'entries');
  const replaced = now.length + restored - history.length;
  const inPlace = replaced === 0 ? '' : `, in place of ${counted(replaced, 'shorter one')}`;
  await screen.print(
    `${screen.colors.bold(`${counted(restored, 'entry', 'entries')} restored`)}${inPlace}: ${was}, now ${history.length}\n${asText}${writtenLine(options.output, screen)}`,
  );
  if (options.output !== '-') await printNext(`density inspect ${quoted(options.output)}`);
}

/** `density restore`: undoes `density optimize`, and looks after the archive of removed text. */
export function defineRestore(command: Command): void {
  sessionArgument(
    command.description(
      'Writes a session again with the entries that `density optimize` removed, from the transcript that it wrote. The result is the same bytes as before, unless the file was changed in another way than by adding to it. Lines that were added since then follow. Undoes the last run that led to this session. --archive and --delete are about the archive of removed text, from which `density show` prints.',
    ),
    'a session file that optimize wrote',
  );
  formatOption(command).option(
    '--transcript <file>',
    'the removed entries (default: <session>.transcript.jsonl, or that of a copy in the data folder)',
  );
  outputOptions(command, false)
    .addOption(
      new Option('--archive', 'say how much removed text is kept on this computer, and where').conflicts([
        'output',
        'delete',
      ]),
    )
    .addOption(
      new Option(
        '--delete <session>',
        'delete from the archive, without a question, what only the conversations of this session name: a file, an id, `latest`, or the id that its agent gave it; `all` deletes everything',
      ).conflicts(['output']),
    )
    .option('--json', 'one JSON object')
    .action(restore);
}
