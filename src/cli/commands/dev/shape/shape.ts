import { createReadStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import type { Command } from 'commander';
import { fileAccess } from '../../../../content/files/file-access.ts';
import { readOr } from '../../../../content/foreign-value.ts';
import { unreadable } from '../../../../disk/file-bytes.ts';
import { CompressionStrategyError } from '../../../../errors.ts';
import { counted, grouped, percent } from '../../../../report/figures.ts';
import { createEphemerals } from '../../../../settings/resolve.ts';
import type { AgentRuntimeContext } from '../../../../strategies/contract.ts';
import { protectionOf } from '../../../../strategies/high-density/rules/protection.ts';
import { SHAPERS } from '../../../../strategies/high-density/shapers/index.ts';
import { hasLeftOut, hasMarker } from '../../../../strategies/high-density/shapers/markers.ts';
import { printingOf } from '../../../../strategies/high-density/shapers/printing-of.ts';
import { type EditReason, explainReason } from '../../../../strategies/reasons/edit-reason.ts';
import { andList } from '../../../../strategies/reasons/reason-row.ts';
import { SPECIFIED_RULES } from '../../../../strategies/settings/rule-settings.ts';
import { FORM_SETTINGS, settingOptions, settingsOf } from '../../../options/setting-options.ts';
import { layersInForce } from '../../../options/setting-sources.ts';
import { wrapped } from '../../../terminal/columns.ts';
import { printable, printJson, type Screen, terminal } from '../../../terminal/terminal.ts';
import { type OutputForm, outputForm } from './output-form.ts';
import { type PrintingCall, printingCall, type SaidOfCall } from './printing-call.ts';

/** Settings are those of any model: a form depends on none. */
const ANY_MODEL = 'unknown';

const LEFT_OUT =
  'Text is left out. `density wrap` keeps it, and its marker also says how to get it back; this command keeps nothing.';

const shapersOf = (reason: EditReason): readonly string[] =>
  reason.rule === 'shaped' ? reason.shapers : [reason.rule];

/** What was done to a text, and how much shorter it is. */
function summary(before: string, { text, reasons }: OutputForm, { columns, colors }: Screen): string {
  const done = reasons.map(
    (reason) => `${shapersOf(reason).join(', ')}: ${explainReason(reason, { call: () => 'it' })}`,
  );
  const size = `${grouped(before.length)} → ${counted(text.length, 'character')}`;
  const lines = [
    ...done,
    `${colors.bold(size)}, ${percent(before.length - text.length, before.length)} smaller`,
    ...(hasLeftOut(text) ? [colors.dim(wrapped(LEFT_OUT, columns))] : []),
  ];
  return `${lines.join('\n')}\n`;
}

/** The lines of a patch. What finds them takes long to load. */
async function differenceOf(before: string, { text, reasons }: OutputForm): Promise<readonly string[]> {
  if (reasons.length === 0) return [];
  const { editDiff } = await import('./edit-diff.ts');
  return editDiff(before, text);
}

/** A line of a patch in its colour. */
function patchLine(line: string, colors: Screen['colors']): string {
  const shown = printable(line.replaceAll('\t', '  '));
  if (line.startsWith('+')) return colors.green(shown);
  if (line.startsWith('-')) return colors.red(shown);
  return line.startsWith(' ') ? shown : colors.dim(shown);
}

async function printDifference(lines: readonly string[], { colors, print }: Screen): Promise<void> {
  await print(lines.map((line) => `${patchLine(line, colors)}\n`).join(''));
}

/** The option that turns a shaper on: `--repeated-lines`. */
const optionOf = (name: string): string => `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** Why a text is its own form, as a clause for a person without a full stop. */
function whyUnchanged(
  text: string,
  {
    call,
    vocabulary,
    command,
    ephemerals,
    workspaceRoot,
  }: PrintingCall & AgentRuntimeContext & { readonly command: string | undefined },
): string {
  const rules = ephemerals.densityRules?.() ?? SPECIFIED_RULES;
  const { reads } = fileAccess(call, vocabulary, workspaceRoot, { includesShellWrites: rules.shellWrites });
  if (hasMarker(text)) return 'it has a marker of density, and what has a form keeps it';
  if (protectionOf(rules, workspaceRoot).coversCall({ call, reads })) return 'the settings protect its tool or file';
  const printing = printingOf(vocabulary, call);
  const fitting = SHAPERS.filter((shaper) => shaper.appliesTo(printing)).map(({ name }) => name);
  const used = [...(rules.repeatedLines > 0 ? ['repeatedLines'] : []), ...fitting.filter((name) => rules[name])];
  if (printing.role === 'shell' && !(printing.prints && printing.prints.size > 0)) {
    return command === undefined
      ? 'without --command nobody knows which program printed it, and then only --repeated-lines may change it'
      : `\`${printable(command)}\` may print lines of files, and then only --repeated-lines may change it`;
  }
  if (printing.role === 'other')
    return `the tool ${printable(call.name)} is not known; say what it does with --tools, or what it ran with --command`;
  if (used.length === 0) return `the settings turn off ${andList(['repeatedLines', ...fitting].map(optionOf))}`;
  return `${andList(used.map(optionOf))} ${used.length === 1 ? 'finds' : 'find'} nothing to shorten in it (--help says what each looks for)`;
}

/** The name of standard input. */
const STANDARD_INPUT = '-';

/**
 * The text of a file, of a pipe, or for `-` of standard input: every character of it.
 * @throws CompressionStrategyError `SESSION_UNREADABLE` if it cannot be read, is no text in UTF-8, or is empty.
 */
async function givenText(file: string): Promise<string> {
  const isInput = file === STANDARD_INPUT;
  const name = isInput ? 'standard input' : file;
  const bytes = await buffer(isInput ? process.stdin : createReadStream(file)).catch((cause: unknown) => {
    throw unreadable(name, cause);
  });
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const text = bytes.includes(0) ? undefined : readOr(() => decoder.decode(bytes), undefined);
  if (text === undefined) throw unusable(`text in UTF-8 in ${name}, but it is binary or in another encoding`);
  if (text === '') throw unusable(`what a tool printed in ${name}, but it is empty (0 bytes)`);
  return text;
}

const unusable = (what: string): CompressionStrategyError =>
  new CompressionStrategyError(`Expected ${what}.`, 'SESSION_UNREADABLE');

async function shape(
  file: string,
  { tool, command, check, json, ...options }: SaidOfCall & { readonly check?: boolean; readonly json?: boolean },
): Promise<void> {
  const ephemerals = createEphemerals(await layersInForce(settingsOf({ ...options })), { model: ANY_MODEL });
  const printing = printingCall({ tool, command }, ephemerals);
  const text = await givenText(file);
  const context = { ...printing, ephemerals, workspaceRoot: process.cwd() };
  const form = outputForm(text, context);
  const isChanged = form.reasons.length > 0;
  const why = isChanged ? undefined : whyUnchanged(text, { ...context, command });
  const { out, notes } = terminal();
  if (json)
    return printJson({
      file,
      tool: printing.call.name,
      command: command ?? null,
      characters: text.length,
      charactersAfter: form.text.length,
      shapers: form.reasons.flatMap(shapersOf),
      losesText: hasLeftOut(form.text),
      unchangedBecause: why ?? null,
      ...(check && { difference: await differenceOf(text, form) }),
      form: form.text,
    });
  if (!check) await out.print(form.text);
  else if (isChanged) await printDifference(await differenceOf(text, form), out);
  const report = check ? out : notes;
  // A terminal shows both in one place.
  if (!check && out.stream.isTTY && !form.text.endsWith('\n')) await notes.print('\n');
  if (isChanged) await report.print(summary(text, form, report));
  else await notes.print(`Nothing changed: ${why}.\n`);
}

/** `density dev shape`: prints the form that what a tool printed gets before it is sent for the first time. */
export function defineShape(command: Command): void {
  command
    .description(
      'Prints the form in which pruning would first send this output of a tool, and nothing else. Standard error says which shapers changed it, or why it did not change. No text is archived, and no secrets are hidden.',
    )
    .argument('<file>', 'a file with the output of a tool; - is standard input')
    .option('--command <command>', 'the shell command that printed the text')
    .option('--tool <name>', 'the tool of an agent that printed the text (default: Bash)')
    .option(
      '--check',
      'print the difference instead, with the shapers that made it and the characters before and after',
    )
    .option('--json', 'one JSON object; with --check also the difference');
  settingOptions(command, ['compression.profile', ...FORM_SETTINGS]).action(shape);
}
