import type { Command } from 'commander';
import { Redactor } from '../../content/secrets/redact.ts';
import { counted } from '../../report/figures.ts';

/** The option of every command that shows text of a session. */
export interface RedactOptions {
  /** False with `--no-redact`. */
  readonly redact: boolean;
}

/** Adds `--no-redact`. */
export function redactOption(command: Command): Command {
  return command.option('--no-redact', 'show keys, tokens and passwords');
}

/** Hides secrets in what a command shows; undefined with `--no-redact`. */
export const redactorOf = ({ redact }: RedactOptions): Redactor | undefined => (redact ? new Redactor() : undefined);

/** How many secrets were hidden, in words. */
export function hiddenNote(redactor: Redactor | undefined): string {
  if (redactor === undefined) return 'Nothing was hidden (--no-redact): check it before you share it.';
  const secrets = counted(redactor.hidden, 'key, token or password', 'keys, tokens and passwords');
  return `${secrets} of known shapes hidden`;
}

/** `hiddenNote` as a line; empty if nothing was hidden. */
export const hiddenLine = (redactor: Redactor | undefined, paint: (text: string) => string): string =>
  redactor === undefined || redactor.hidden === 0
    ? ''
    : `${paint(`${hiddenNote(redactor)} (--no-redact shows them)`)}\n`;
