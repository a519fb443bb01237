import { type Command, Help, type Option } from 'commander';
import { AGENT_EXAMPLES } from './agent-examples.ts';
import type { CommandHelp } from './command-help.ts';
import { SESSION_EXAMPLES } from './session-examples.ts';

/** What `--help` of each command shows beside its options. */
const COMMAND_HELP: Readonly<Record<string, CommandHelp>> = { ...AGENT_EXAMPLES, ...SESSION_EXAMPLES };

const FIRST_GROUP = 'Most used:';

function exampleText(examples: CommandHelp['examples']): string {
  const lines = examples.map(([line, does]) => `  ${line}\n      ${does}`);
  return `\nExamples:\n${lines.join('\n')}\n`;
}

/** The words that run a command, after `density`. */
const wordsOf = (command: Command): string =>
  command.parent?.parent ? `${wordsOf(command.parent)} ${command.name()}` : command.name();

/** Makes the help of a command, and of those in it, begin with its most used options and end with examples. */
export function addExamples(command: Command): void {
  for (const own of command.commands) addExamples(own);
  const help = COMMAND_HELP[wordsOf(command)];
  if (help === undefined) return;
  const { first, examples } = help;
  for (const option of command.options) if (first.includes(option.long ?? '')) option.helpGroup(FIRST_GROUP);
  const rankOf = (item: Command | Option): number => {
    const rank = 'long' in item ? first.indexOf(item.long ?? '') : -1;
    return rank === -1 ? first.length : rank;
  };
  command
    .configureHelp({
      ...command.configureHelp(),
      groupItems<Item extends Command | Option>(_: Item[], visible: Item[], groupOf: (item: Item) => string) {
        const sorted = [...visible].sort((one, other) => rankOf(one) - rankOf(other));
        return new Help().groupItems(sorted, sorted, groupOf);
      },
    })
    .addHelpText('after', exampleText(examples));
}
