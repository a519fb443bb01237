import type { Command } from 'commander';
import { counted, grouped, percent } from '../../../report/figures.ts';
import { createEphemerals } from '../../../settings/resolve.ts';
import { hasLeftOut } from '../../../strategies/high-density/shapers/markers.ts';
import type { EditReason } from '../../../strategies/reasons/edit-reason.ts';
import { explainReason } from '../../../strategies/reasons/edit-reason.ts';
import { FORM_SETTINGS, settingOptions, settingsOf } from '../../options/setting-options.ts';
import { layersInForce } from '../../options/setting-sources.ts';
import { type Screen, terminal } from '../../terminal/terminal.ts';
import { wrapped } from '../../terminal/text-width.ts';
import { givenText } from './given-text.ts';
import { type OutputForm, outputForm } from './output-form.ts';
import { printingCall, type SaidOfCall } from './printing-call.ts';
import { whyUnchanged } from './why-unchanged.ts';

interface ShapeOptions extends SaidOfCall {
  readonly check?: boolean;
  readonly json?: boolean;
}

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
  const { editDiff } = await import('../../../chat/tools/files/edit-diff.ts');
  return editDiff(before, text);
}

async function printDifference(lines: readonly string[], { colors, print }: Screen): Promise<void> {
  const { wholePatch } = await import('../chat/call-lines.ts');
  await print(
    wholePatch(lines, colors)
      .map((line) => `${line}\n`)
      .join(''),
  );
}

async function shape(file: string, { tool, command, check, json, ...options }: ShapeOptions): Promise<void> {
  const ephemerals = createEphemerals(await layersInForce(settingsOf({ ...options })), { model: ANY_MODEL });
  const printing = printingCall({ tool, command }, ephemerals);
  const text = await givenText(file);
  const context = { ...printing, ephemerals, workspaceRoot: process.cwd() };
  const form = outputForm(text, context);
  const isChanged = form.reasons.length > 0;
  const why = isChanged ? undefined : whyUnchanged(text, { ...context, command });
  const { out, notes } = terminal();
  if (json) {
    const facts = {
      ...{ file, tool: printing.call.name, command: command ?? null },
      ...{ characters: text.length, charactersAfter: form.text.length },
      ...{ shapers: form.reasons.flatMap(shapersOf), losesText: hasLeftOut(form.text), unchangedBecause: why ?? null },
      ...(check && { difference: await differenceOf(text, form) }),
      form: form.text,
    };
    return out.print(`${JSON.stringify(facts)}\n`);
  }
  if (!check) await out.print(form.text);
  else if (isChanged) await printDifference(await differenceOf(text, form), out);
  const report = check ? out : notes;
  // A terminal shows both in one place.
  if (!check && out.stream.isTTY && !form.text.endsWith('\n')) await notes.print('\n');
  if (isChanged) await report.print(summary(text, form, report));
  else await notes.print(`It stays as it is: ${why}.\n`);
}

/** `density shape`: prints the form that what a tool printed gets before it is sent for the first time. */
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
    .option('--json', 'print one JSON object; with --check it also has the difference');
  settingOptions(command, ['compression.profile', ...FORM_SETTINGS]).action(shape);
}
