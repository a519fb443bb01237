import { type Command, InvalidArgumentError, Option } from 'commander';
import type { SessionFormat } from '../../formats/contract.ts';
import { formatNamed, SESSION_FORMATS } from '../../formats/index.ts';
import { nearestName } from '../../settings/nearest-name.ts';

/** What a command that reads a session may be told about it. */
export interface ReadOptions {
  readonly format?: SessionFormat;
  readonly model?: string;
}

/** The format of this name, as an option's argument. */
export function parseFormat(name: string): SessionFormat {
  const known = SESSION_FORMATS.map((format) => format.name);
  if (!known.includes(name)) {
    throw new InvalidArgumentError(`Expected one of ${known.join(', ')}. Did you mean "${nearestName(name, known)}"?`);
  }
  return formatNamed(name);
}

/** `200000`, `200k`, `1M`: a whole number of tokens, at least 1. */
export function parseTokens(text: string): number {
  const [, digits, unit] = /^(\d+(?:\.\d+)?)([kKmM]?)$/.exec(text.replaceAll(/[_,](?=\d)/g, '')) ?? [];
  const scale = unit === '' ? 1 : unit?.toLowerCase() === 'k' ? 1_000 : 1_000_000;
  const tokens = Math.round(Number(digits) * scale);
  if (digits === undefined || tokens < 1) throw new InvalidArgumentError('Expected tokens such as 200000, 200k or 1M.');
  return tokens;
}

/** Adds `--format`. */
export function formatOption(command: Command): Command {
  const option = new Option('--format <name>', 'read as this format instead of finding out').argParser(parseFormat);
  option.argChoices = SESSION_FORMATS.map(({ name }) => name);
  return command.addOption(option);
}

/** Adds `--model`. */
export function modelOption(command: Command): Command {
  return command.option('--model <name>', 'the model whose tokenizer and window count (default: as recorded)');
}
