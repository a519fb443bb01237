import { type Command, Option } from 'commander';

/** Adds `--force`. */
export function forceOption(command: Command): Command {
  return command.option('--force', 'replace the output file if there is one');
}

/** Adds `--open`. */
export function openOption(command: Command): Command {
  return command.option('--open', 'open the page in the default browser');
}

/** Adds `-o`, which is required unless it is said not to be, and `--force`. */
export function outputOptions(command: Command, isRequired = true): Command {
  const output = new Option('-o, --output <file>', 'the file to write; - is standard output');
  return forceOption(command.addOption(output.makeOptionMandatory(isRequired)));
}
