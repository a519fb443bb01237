import { type Command, Help, type Option } from 'commander';
import { counted } from '../../content/counted.ts';
import { groupOfOption } from '../options/setting-groups.ts';
import { wrapped } from '../terminal/columns.ts';
import { AGENT_EXAMPLES } from './agent-examples.ts';
import type { CommandHelp } from './command-help.ts';
import { SESSION_EXAMPLES } from './session-examples.ts';

/** What `--help` of each command shows beside its options. */
const COMMAND_HELP: Readonly<Record<string, CommandHelp>> = { ...AGENT_EXAMPLES, ...SESSION_EXAMPLES };

const HELP_COLUMNS = 80;
const FIRST_GROUP = 'Most used:';

/** The most options that one help shows, `--help` among them: with more it does not fit on a screen of 45 lines. */
const MOST_OPTIONS = 10;

/** Hides the settings, and then the least used options, of a command with more options than help shows; returns what names them instead. */
function hiddenOptions(command: Command, first: readonly string[]): string {
  const rare = command.options.filter(({ long, hidden }) => !hidden && !first.includes(long ?? ''));
  const most = MOST_OPTIONS - 1 - (command.options.filter(({ hidden }) => !hidden).length - rare.length);
  if (rare.length <= most) return '';
  const settings = rare.filter((option) => groupOfOption(option) !== undefined);
  const others = rare.filter((option) => groupOfOption(option) === undefined);
  const also = others.slice(Math.max(0, most));
  for (const option of [...settings, ...also]) option.hideHelp();
  const groups = [...new Set(settings.flatMap((option) => groupOfOption(option) ?? []))];
  const lines = [
    ...(also.length > 0 ? [`Also: ${also.map(({ long }) => long).join(', ')} (docs/commands.md).`] : []),
    ...(groups.length > 0
      ? [
          `${counted(settings.length, 'setting is an option', 'settings are options')} too: \`density settings ${groups[0]}\` explains those of ${groups.length === 1 ? 'this group' : `a group. Groups: ${groups.join(', ')}`}.`,
        ]
      : []),
  ];
  return `\n${lines.map((line) => wrapped(line, HELP_COLUMNS)).join('\n')}\n`;
}

/** The help of a command that these words run, after `density`. */
export const helpOf = (words: string): CommandHelp => COMMAND_HELP[words] ?? { first: [], examples: [] };

function exampleText(examples: CommandHelp['examples']): string {
  if (examples.length === 0) return '';
  const lines = examples.map(([line, does]) => `  ${line}\n      ${does}`);
  return `\nExamples:\n${lines.join('\n')}\n`;
}

/** The words that run a command, after `density`. */
const wordsOf = (command: Command): string =>
  command.parent?.parent ? `${wordsOf(command.parent)} ${command.name()}` : command.name();

/** Makes the help of a command, and of those in it, begin with its most used options and end with examples. */
export function addExamples(command: Command): void {
  for (const own of command.commands) addExamples(own);
  const { first, examples } = helpOf(wordsOf(command));
  const hidden = hiddenOptions(command, first);
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
    .addHelpText('after', `${hidden}${exampleText(examples)}`);
}
