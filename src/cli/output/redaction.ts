import type { Command } from 'commander';
import { Redactor } from '../../content/secrets/redact.ts';
import { counted } from '../../report/figures.ts';

/** What a command that shows texts of a session may be told about secrets in them. */
export interface RedactOptions {
  /** False with `--no-redact`. */
  readonly redact: boolean;
}

/** Adds `--no-redact`. */
export function redactOption(command: Command): Command {
  return command.option('--no-redact', 'show keys, tokens and passwords as they are');
}

/** What hides secrets in all that a command shows, unless it is not to. */
export const redactorOf = ({ redact }: RedactOptions): Redactor | undefined => (redact ? new Redactor() : undefined);

/** How many secrets were hidden, as a sentence. */
export function hiddenNote(redactor: Redactor | undefined): string {
  if (redactor === undefined) return 'Nothing was hidden (--no-redact): look through it before you share it.';
  const secrets = counted(redactor.hidden, 'key, token or password', 'keys, tokens and passwords');
  return `${secrets} of known shapes hidden`;
}

/** `hiddenNote` as a line behind what is shown, where something was hidden. */
export const hiddenLine = (redactor: Redactor | undefined, paint: (text: string) => string): string =>
  redactor === undefined || redactor.hidden === 0
    ? ''
    : `${paint(`${hiddenNote(redactor)} (--no-redact shows all)`)}\n`;
