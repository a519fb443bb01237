import type { Command } from 'commander';

/** The newest session of this folder's project, else of the computer. */
export const LATEST = 'latest';

export const LIST_HINT = '`density sessions` lists the ids.';

/** Adds the argument for one session. */
export function sessionArgument(
  command: Command,
  description: string,
  without = 'on a terminal you pick one',
): Command {
  return command.argument(
    '[session]',
    `${description}, or an id that \`density sessions\` lists, or ${LATEST} (default: ${without})`,
  );
}
