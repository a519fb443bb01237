import { randomUUID } from 'node:crypto';
import { type Command, Option } from 'commander';
import { liveHistory, type NewSession, type Session, type SessionFormat } from '../formats/contract.ts';
import { type Conversion, convertSession, writableFormats } from '../formats/convert.ts';
import { LOSS_TITLES, type Loss } from '../formats/losses.ts';
import { counted, grouped } from './figures.ts';
import { outputTarget } from './output-target.ts';
import { openSession, type SessionFile } from './session-file.ts';
import { formatOption, parseFormat, type ReadOptions } from './session-options.ts';
import { skippedNote } from './session-summary.ts';
import { tableLines } from './table.ts';
import { type Screen, terminal } from './terminal.ts';
import { writeOutput } from './written-session.ts';

interface ConvertOptions extends ReadOptions {
  readonly to: SessionFormat;
  readonly output: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The facts of the new session: those of the old one; a fresh id where its own is none that every agent takes. */
function newSession({ id, model, workspaceRoot, systemText, ...session }: Session): NewSession {
  const first = liveHistory({ ...session }).find(({ metadata }) => metadata?.timestamp !== undefined);
  return {
    id: id !== undefined && UUID.test(id) ? id : randomUUID(),
    ...(model !== undefined && { model }),
    ...(workspaceRoot !== undefined && { workspaceRoot }),
    ...(systemText !== undefined && { systemText }),
    startedAt: first?.metadata?.timestamp ?? Date.now(),
  };
}

function lossTable(losses: readonly Loss[], screen: Screen): string {
  const { dim, green, bold } = screen.colors;
  if (losses.length === 0) return `${green('Nothing is lost.')}\n`;
  const lines = tableLines(
    [
      { title: 'what the new file cannot hold', shrink: 'end' },
      { title: 'number', align: 'right' },
      { title: 'first', align: 'right' },
    ],
    losses.map(({ kind, count, first }) => [LOSS_TITLES[kind], grouped(count), first === undefined ? '' : `#${first}`]),
    { columns: screen.columns, heading: dim, cell: (text, _row, column) => (column === 1 ? bold(text) : text) },
  );
  return `${lines.join('\n')}\n`;
}

function report(opened: SessionFile, { losses }: Conversion, { to, output }: ConvertOptions, screen: Screen): string {
  const { bold, dim } = screen.colors;
  const entries = liveHistory(opened.session).length;
  const written = output === '-' ? '' : `${dim('written to')} ${output}\n`;
  const heading = `${bold(`${opened.format.title} → ${to.title}`)}, ${counted(entries, 'entry', 'entries')}\n`;
  return `${heading}${skippedNote(opened, screen)}\n${lossTable(losses, screen)}\n${written}`;
}

async function convert(file: string, options: ConvertOptions): Promise<void> {
  const opened = openSession(file, options.format);
  const target = outputTarget(options.output, opened.bytes, options.force ?? false);
  const conversion = convertSession(opened.session, options.to, newSession(opened.session));
  await writeOutput(target, conversion.pieces);
  const screen = target.kind === 'stdout' ? terminal().notes : terminal().out;
  if (!options.json) {
    await screen.print(report(opened, conversion, options, screen));
    return;
  }
  const { format, session } = opened;
  const facts = { file, output: options.output, format: format.name, to: options.to.name };
  const entries = liveHistory(session).length;
  await screen.print(
    `${JSON.stringify({ ...facts, entries, losses: conversion.losses, skippedLines: session.skipped.length })}\n`,
  );
}

/** `density convert`: a session of one agent as a session of another. */
export function addConvertCommand(program: Command): void {
  const command = program
    .command('convert')
    .summary('write a session in the format of another agent')
    .description(
      'Writes what a session holds now as a new session in another format, and lists what that format cannot hold: found by reading the new file again. The session itself is not changed.',
    )
    .argument('<session>', 'a session file of any known format');
  const to = new Option('--to <format>', 'the format of the new session').argParser(parseFormat);
  to.argChoices = writableFormats().map(({ name }) => name);
  formatOption(command)
    .addOption(to.makeOptionMandatory())
    .addOption(new Option('-o, --output <file>', 'where to write; - is standard output').makeOptionMandatory())
    .option('--force', 'replace the output file if there is one')
    .option('--json', 'report as one JSON object')
    .action(convert);
}
