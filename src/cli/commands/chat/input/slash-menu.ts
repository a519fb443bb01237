import type { SlashCommand } from '../../../../chat/slash/contract.ts';
import { SLASH_COMMANDS } from '../../../../chat/slash/index.ts';

/** The commands that a begun name may mean. */
interface SlashMenu {
  readonly fitting: readonly SlashCommand[];
  /** How many commands there are. */
  readonly total: number;
}

/** The menu for a line; undefined unless it is `/` and the start of a name. */
export function slashMenu(line: string): SlashMenu | undefined {
  if (!/^\/[a-z]*$/.test(line)) return undefined;
  const fitting = SLASH_COMMANDS.filter(({ name }) => name.startsWith(line.slice(1)));
  return { fitting, total: SLASH_COMMANDS.length };
}

/** The line that Enter makes of the chosen command; undefined if the line is to be run as it is. */
export function completedCommand(line: string, chosen: number): string | undefined {
  const fitting = slashMenu(line)?.fitting ?? [];
  const command = fitting[chosen];
  return command === undefined || fitting.some(({ name }) => `/${name}` === line) ? undefined : `/${command.name} `;
}
