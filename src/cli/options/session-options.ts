import { type Command, InvalidArgumentError, Option } from 'commander';
import type { SessionFormat } from '../../formats/contract.ts';
import { formatNamed, SESSION_FORMATS } from '../../formats/index.ts';
import { nearestName } from '../../settings/nearest-name.ts';

/** Options of every command that reads a session. */
export interface ReadOptions {
  readonly format?: SessionFormat;
  readonly model?: string;
}

/** The format of this name. @throws InvalidArgumentError with the nearest name */
export function parseFormat(name: string): SessionFormat {
  const known = SESSION_FORMATS.map((format) => format.name);
  if (!known.includes(name)) {
    throw new InvalidArgumentError(`Expected one of ${known.join(', ')}. Did you mean "${nearestName(name, known)}"?`);
  }
  return formatNamed(name);
}

/** Parses `200000`, `200k` or `1M` to a whole number of tokens. @throws InvalidArgumentError below 1 */
export function parseTokens(text: string): number {
  const [, digits, unit] = /^(\d+(?:\.\d+)?)([kKmM]?)$/.exec(text.replaceAll(/[_,](?=\d)/g, '')) ?? [];
  const scale = unit === '' ? 1 : unit?.toLowerCase() === 'k' ? 1_000 : 1_000_000;
  const tokens = Math.round(Number(digits) * scale);
  if (digits === undefined || tokens < 1) throw new InvalidArgumentError('Expected tokens such as 200000, 200k or 1M.');
  return tokens;
}

/** Adds `--format`. */
export function formatOption(command: Command): Command {
  const option = new Option('--format <name>', 'read the session as this format instead of detecting it').argParser(
    parseFormat,
  );
  option.argChoices = SESSION_FORMATS.map(({ name }) => name);
  return command.addOption(option);
}

/** Adds `--model`. */
export function modelOption(command: Command): Command {
  return command.option(
    '--model <name>',
    'count with the tokenizer and window of this model (default: the recorded model)',
  );
}
