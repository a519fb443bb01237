import path from 'node:path';
import type { IContent } from '../../../content/content.ts';
import { liveHistory } from '../../../formats/contract.ts';
import { readDocument } from '../../../formats/json/json-file.ts';
import { fileTexts } from '../../../guard/file-texts.ts';
import { type MarkerLine, markerLines } from '../../../guard/marker-lines.ts';
import { type LintFinding, lintHistory } from '../../../lab/lint/lint.ts';
import { isRequestFormat, lintRequest } from '../../../lab/lint/request-lint.ts';
import { counted } from '../../../report/figures.ts';
import { openSession, type ReadOptions, type SessionFile } from '../../options/session-file.ts';
import { sessionPath } from '../../options/session-path.ts';
import { commandName, printNext } from '../../output/next-step.ts';
import { printable, printJson, terminal } from '../../terminal/terminal.ts';
import { filesBelow } from './files-below.ts';

const WORDS: Readonly<Record<LintFinding['severity'], string>> = { refused: 'refused ', doubtful: 'doubtful' };

/** All findings, in the order of entries. A finding of both checks is listed once, as the check of the request reports it. */
function findingsOf({ format, lines }: SessionFile, history: readonly IContent[]): readonly LintFinding[] {
  const found = lintHistory(history);
  if (!isRequestFormat(format.name)) return found;
  const own = lintRequest(format.name, readDocument(lines, format.title).value, history);
  // A first message without content is no entry, so that the history seems to start with the next one.
  const isSame = (rule: LintFinding['rule'], one: LintFinding['rule']): boolean =>
    one === rule || (rule === 'starts-without-user' && one === 'empty-entry');
  const isListed = ({ rule, position }: LintFinding): boolean =>
    own.some((one) => one.position === position && isSame(rule, one.rule));
  return [...found.filter((one) => !isListed(one)), ...own].sort((one, other) => one.position - other.position);
}

/** A line of a file with a marker; `file` is relative to the folder. */
interface MarkedFile extends MarkerLine {
  readonly file: string;
}

/** The markers in the files of a folder, by file and line. */
async function markerFiles(folder: string): Promise<readonly MarkedFile[]> {
  const found: MarkedFile[] = [];
  for await (const file of filesBelow(folder)) {
    const [text] = fileTexts([file]);
    for (const line of text === undefined ? [] : markerLines(text))
      found.push({ file: path.relative(folder, file), ...line });
  }
  return found;
}

/** The markers in the files of a folder. The command fails if there are any. */
async function lintFiles(folder: string, json = false): Promise<void> {
  const markers = await markerFiles(path.resolve(folder));
  if (markers.length > 0) process.exitCode = 1;
  const { out } = terminal();
  if (json) return printJson({ folder, markers });
  const lines = markers.map(
    ({ file, line, marker }) => `${printable(file)}:${line} ${out.colors.dim(printable(marker))}`,
  );
  const end =
    markers.length === 0
      ? out.colors.green('No file has a marker.')
      : `${counted(markers.length, 'line')} with a marker.`;
  await out.print(`${[...lines, end].join('\n')}\n`);
}

export interface LintOptions extends Pick<ReadOptions, 'format'> {
  readonly json?: boolean;
  /** A folder whose files are checked for markers, instead of a session. */
  readonly files?: string;
}

/**
 * Lists what a provider would refuse in a session or in the body of a request: calls without results, results without calls or
 * out of order, empty messages; and calls that write a marker. The exit code is 1 if something would be refused.
 */
export async function printLint(named: string | undefined, { format, json, files }: LintOptions): Promise<void> {
  if (files !== undefined) return lintFiles(files, json);
  const file = await sessionPath(named);
  const opened = await openSession(file, format);
  const history = liveHistory(opened.recorded);
  const findings = findingsOf(opened, history);
  const refused = findings.filter(({ severity }) => severity === 'refused').length;
  if (refused > 0) process.exitCode = 1;
  const { out } = terminal();
  if (json) return printJson({ file, format: opened.format.name, entries: history.length, findings });
  const { red, yellow, green, dim } = out.colors;
  const lines = findings.map(({ severity, position, rule, message }) => {
    const colour = severity === 'refused' ? red : yellow;
    return `${colour(WORDS[severity])} #${position} ${printable(message)} ${dim(rule)}`;
  });
  const heading = `${opened.format.title}, ${counted(history.length, 'entry', 'entries')}`;
  const end =
    findings.length === 0
      ? green('Nothing that is checked here would be refused.')
      : `${refused} refused, ${findings.length - refused} doubtful.`;
  await out.print(`${[heading, ...lines, end].join('\n')}\n`);
  await printNext(`density inspect ${commandName(file)}`);
}
