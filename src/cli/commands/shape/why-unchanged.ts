import { fileAccess } from '../../../content/files/file-access.ts';
import type { AgentRuntimeContext } from '../../../strategies/contract.ts';
import { Protection } from '../../../strategies/high-density/rules/protection.ts';
import { SHAPERS } from '../../../strategies/high-density/shapers/index.ts';
import { hasMarker } from '../../../strategies/high-density/shapers/markers.ts';
import { printingOf } from '../../../strategies/high-density/shapers/printing-of.ts';
import { andList } from '../../../strategies/reasons/reason-row.ts';
import { SPECIFIED_RULES } from '../../../strategies/settings/rule-settings.ts';
import { printable } from '../../terminal/printable.ts';
import type { PrintingCall } from './printing-call.ts';

interface Unchanged extends PrintingCall, AgentRuntimeContext {
  readonly command: string | undefined;
}

/** The option that turns a shaper on: `--repeated-lines`. */
const optionOf = (name: string): string => `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** Why a text is its own form, as a clause for a person without a full stop. */
export function whyUnchanged(
  text: string,
  { call, vocabulary, command, ephemerals, workspaceRoot }: Unchanged,
): string {
  const rules = ephemerals.densityRules?.() ?? SPECIFIED_RULES;
  const { reads } = fileAccess(call, vocabulary, workspaceRoot, { includesShellWrites: rules.shellWrites });
  if (hasMarker(text)) return 'it has a marker of density, and what has a form keeps it';
  if (new Protection(rules, workspaceRoot).coversCall({ call, reads })) return 'the settings protect its tool or file';
  const printing = printingOf(vocabulary, call);
  const fitting = SHAPERS.filter((shaper) => shaper.appliesTo(printing)).map(({ name }) => name);
  const used = [...(rules.repeatedLines > 0 ? ['repeatedLines'] : []), ...fitting.filter((name) => rules[name])];
  if (printing.role === 'shell' && !(printing.prints && printing.prints.size > 0)) {
    return command === undefined
      ? 'what printed it is not known, and only --repeated-lines is for any text; say it with --command'
      : `only --repeated-lines is for what \`${printable(command)}\` prints: it may print lines of files`;
  }
  if (printing.role === 'other')
    return `the tool ${printable(call.name)} is not known; say what it does with --tools, or what it ran with --command`;
  if (used.length === 0) return `the settings turn off ${andList(['repeatedLines', ...fitting].map(optionOf))}`;
  return `${andList(used.map(optionOf))} ${used.length === 1 ? 'finds' : 'find'} nothing to shorten in it (--help says what each looks for)`;
}
