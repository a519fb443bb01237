import { randomUUID } from 'node:crypto';
import { type Command, Option } from 'commander';
import { type FileBytes, fileBytes } from '../../../disk/file-bytes.ts';
import { liveHistory, type SessionFormat } from '../../../formats/contract.ts';
import { convertSession, writableFormats } from '../../../formats/convert.ts';
import { LOSS_TITLES, type Loss } from '../../../formats/losses/loss-kinds.ts';
import { counted, grouped } from '../../../report/figures.ts';
import { newSessionFacts } from '../../../sessions/new-session.ts';
import { withWholePrompts } from '../../../sessions/prompts/prompts-left.ts';
import { readSession } from '../../../sessions/read-session.ts';
import {
  formatOption,
  parseFormat,
  type ReadOptions,
  type SessionSource,
  withoutEvents,
  workOnFile,
} from '../../options/session-file.ts';
import { sessionArgument, sessionPath } from '../../options/session-path.ts';
import { skippedNote } from '../../options/session-summary.ts';
import { printNext } from '../../output/next-step.ts';
import { outputOptions, outputTarget, reportScreen, writtenLine } from '../../output/output-target.ts';
import { writeOutput } from '../../output/written-session.ts';
import { rightAligned, tableLines } from '../../terminal/columns.ts';
import { quoted, type Screen } from '../../terminal/terminal.ts';

interface ConvertOptions extends ReadOptions {
  readonly to: SessionFormat;
  readonly output: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

/** Converting a smaller session takes less time than starting a thread. */
const THREAD_BYTES = 1 << 20;

/** A session without its events, and the same session in another format. */
interface ConvertedSession extends SessionSource {
  readonly entries: number;
  readonly losses: readonly Loss[];
  readonly pieces: readonly Uint8Array[];
}

function lossTable(losses: readonly Loss[], screen: Screen): string {
  const { dim, green, bold } = screen.colors;
  if (losses.length === 0) return `${green('Nothing is lost.')}\n`;
  const lines = tableLines(
    [{ title: 'what the new file cannot contain', shrink: 'end' }, ...rightAligned('number', 'first')],
    losses.map(({ kind, count, first }) => [LOSS_TITLES[kind], grouped(count), first === undefined ? '' : `#${first}`]),
    { columns: screen.columns, heading: dim, cell: (text, _row, column) => (column === 1 ? bold(text) : text) },
  );
  return `${lines.join('\n')}\n`;
}

function report(session: ConvertedSession, { to, output }: ConvertOptions, screen: Screen): string {
  const { entries, losses, format } = session;
  const heading = `${screen.colors.bold(`${format.title} → ${to.title}`)}, ${counted(entries, 'entry', 'entries')}\n`;
  return `${heading}${skippedNote(session, screen)}\n${lossTable(losses, screen)}\n${writtenLine(output, screen)}`;
}

async function converted(bytes: FileBytes, { format: forced, to }: ConvertOptions): Promise<ConvertedSession> {
  const fallback = { id: randomUUID(), startedAt: Date.now() };
  const made = await workOnFile(bytes, {
    label: 'converting',
    leastBytes: THREAD_BYTES,
    onThread: async (thread, onProgress) =>
      withoutEvents(await thread.convert(bytes.path, { format: forced?.name, to: to.name, fallback, onProgress })),
    here: (onProgress) => {
      const read = readSession(bytes, { forced, onProgress });
      const { format, readMs } = read;
      const session = withWholePrompts(read);
      const conversion = convertSession(session, to, newSessionFacts(session, fallback));
      return { session, format, readMs, ...conversion, entries: liveHistory(session).length };
    },
  });
  return { ...made, name: bytes.path, sizeBytes: bytes.sizeBytes };
}

async function convert(named: string | undefined, options: ConvertOptions): Promise<void> {
  const file = await sessionPath(named);
  const bytes = fileBytes(file);
  const target = outputTarget(options.output, bytes, options.force ?? false);
  const made = await converted(bytes, options);
  await writeOutput(target, made.pieces);
  const screen = reportScreen(target);
  if (!options.json) {
    await screen.print(report(made, options, screen));
    if (options.output !== '-') await printNext(`density inspect --lint ${quoted(options.output)}`);
    return;
  }
  const { format, session, entries, losses } = made;
  const facts = { file, output: options.output, format: format.name, to: options.to.name };
  await screen.print(`${JSON.stringify({ ...facts, entries, losses, skippedLines: session.skipped.length })}\n`);
}

/** `density convert`: writes a session in the format of another agent. */
export function defineConvert(command: Command): void {
  sessionArgument(
    command.description(
      'Writes the current content of a session as a new session in another format, reads the new file again, and lists what that format cannot contain. The session itself does not change.',
    ),
    'a session file of any known format',
  );
  const to = new Option('--to <format>', 'the format of the new session').argParser(parseFormat);
  to.argChoices = writableFormats().map(({ name }) => name);
  outputOptions(formatOption(command).addOption(to.makeOptionMandatory()))
    .option('--json', 'one JSON object')
    .action(convert);
}
