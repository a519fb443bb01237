import { type Command, InvalidArgumentError } from 'commander';
import { quoted } from '../../terminal/terminal.ts';

/** Which of the listed sessions are taken; without any of these, all of them. Days are those of UTC. */
export interface SessionFilter {
  /** A folder, or a part of the path of one. */
  readonly project?: string;
  /** The name of an agent, or a part of it. */
  readonly agent?: string;
  /** `2026-11-01`. */
  readonly since?: string;
  readonly until?: string;
  /** Words that the start of the first message contains, in any order. */
  readonly message?: string;
}

/** The options that are given, as they are typed; '' if there is none. */
export const filterWords = ({ project, agent, since, until, message }: SessionFilter): string =>
  Object.entries({ project, agent, since, until, message })
    .flatMap(([name, value]) => (value === undefined ? [] : [`--${name} ${quoted(value)}`]))
    .join(' ');

/** The day as it is written. @throws InvalidArgumentError for what is no day of the calendar */
function parseDay(text: string): string {
  const at = new Date(`${text}T00:00:00Z`);
  const isDay = !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 10) === text;
  if (!isDay) throw new InvalidArgumentError('Expected a day such as 2026-11-01.');
  return text;
}

/** Adds `--project`, `--agent`, `--since` and `--until`. */
export function sessionFilterOptions(command: Command): Command {
  return command
    .option('--project <folder>', 'only sessions of this folder and those in it, or of a project with this in its path')
    .option('--agent <name>', 'only sessions of this agent, for example claude')
    .option('--since <day>', 'only sessions that were last changed on this day (2026-11-01, UTC) or later', parseDay)
    .option('--until <day>', 'only sessions that were last changed on this day (UTC) or earlier', parseDay);
}
