import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Command, Help, type Option } from 'commander';
import { expect, test } from 'vitest';
import { COMMANDS, DOORS } from '../../src/cli/commands.ts';
import { groupOfOption } from '../../src/cli/options/setting-groups.ts';

const PAGE = path.resolve(import.meta.dirname, '../../docs/commands.md');

/** More choices than these are names of formats, which docs/formats.md lists. */
const MOST_CHOICES = 10;

/** Said of each argument that is a session; the page says it once, above. */
const NAMES_OF_SESSIONS = /, or an id that `density sessions` lists, or latest.*$/;

/** Said of `--json` in every command; the page says it once, above. */
const AS_JSON = /^one JSON object(?: per line)?$/;

/** An option with the same words in as many commands is explained once for all. */
const SHARED_BY = 3;

const HELP = new Help();

/** Text of help as Markdown: a `<name>` outside of code is no element. */
const markdown = (text: string): string => text.replace(/`[^`]*`|</g, (part) => (part === '<' ? '\\<' : part));

function lineOf(option: Option): string {
  const isLong = (option.argChoices?.length ?? 0) > MOST_CHOICES;
  const words = isLong ? `${option.description} ([names](formats.md))` : HELP.optionDescription(option);
  return `- \`${option.flags}\`: ${markdown(words)}`;
}

const ownOptions = (command: Command): readonly Option[] =>
  HELP.visibleOptions(command).filter(
    (option) => option.long !== '--help' && !AS_JSON.test(option.description) && groupOfOption(option) === undefined,
  );

/** A command and those in it, each with the words that run it. */
const withParts = (command: Command, words: string): (readonly [words: string, command: Command])[] => [
  [words, command],
  ...command.commands.flatMap((part) => withParts(part, `${words} ${part.name()}`)),
];

async function everyCommand(): Promise<ReadonlyMap<string, Command>> {
  const program = new Command('density');
  const commands: (readonly [string, Command])[] = [];
  for (const { name, load } of COMMANDS) {
    const command = program.command(name);
    (await load())(command, () => Promise.resolve(program));
    commands.push(...withParts(command, name));
  }
  return new Map(commands);
}

const COMMANDS_BY_WORDS = await everyCommand();

const OPTIONS = [...COMMANDS_BY_WORDS.values()].flatMap(ownOptions);
/** The lines that several commands have, if no other such line is about the same option. */
const SHARED = [...new Set(OPTIONS.map(lineOf))]
  .filter((line) => OPTIONS.filter((option) => lineOf(option) === line).length >= SHARED_BY)
  .filter((line, _, lines) => lines.filter((other) => other.startsWith(line.split(':')[0]!)).length === 1);
const isShared = (option: Option): boolean => SHARED.includes(lineOf(option));

function alsoText(command: Command): string[] {
  const shared = ownOptions(command).filter(isShared);
  const groups = [...new Set(command.options.flatMap((option) => groupOfOption(option) ?? []))];
  const also = [
    ...shared.map(({ long }) => `\`${long}\``),
    ...(groups.length > 0 ? [`the [settings](settings.md) ${groups.join(', ')}`] : []),
  ];
  return also.length > 0 ? [`Also: ${also.join(', ')}.`] : [];
}

function helpText(command: Command): string {
  const description = command.description();
  const lines = [
    ...HELP.visibleArguments(command).map(
      (one) => `- \`${one.name()}\`: ${markdown(HELP.argumentDescription(one).replace(NAMES_OF_SESSIONS, ''))}`,
    ),
    ...ownOptions(command)
      .filter((option) => !isShared(option))
      .map(lineOf),
  ];
  return [
    `\`${HELP.commandUsage(command)}\``,
    markdown(`${description[0]!.toUpperCase()}${description.slice(1)}`),
    ...(lines.length > 0 ? [lines.join('\n')] : []),
    ...alsoText(command),
  ].join('\n\n');
}

const list = (): string =>
  Object.entries({ ...DOORS, none: 'Run by other programs:' })
    .map(([door, title]) => {
      const rows = COMMANDS.filter((row) => (row.door ?? 'none') === door);
      return `- ${title} ${rows.map(({ name }) => `[\`${name}\`](#density-${name})`).join(', ')}`;
    })
    .join('\n');

/** What the page has between such a comment and the next end. */
const MADE = /(<!-- made from help: (.*?) -->\n)[\s\S]*?(\n<!-- end -->)/g;

test('docs/commands.md has the help of every command: usage, options, defaults (`npx vitest run -u` with this file writes it again)', async () => {
  const made: string[] = [];
  const page = readFileSync(PAGE, 'utf8').replace(MADE, (_, start: string, of: string, end: string) => {
    made.push(of);
    if (of === 'all commands') return `${start}\n${list()}\n${end}`;
    if (of === 'options of several commands') return `${start}\n${SHARED.join('\n')}\n${end}`;
    return `${start}\n${helpText(COMMANDS_BY_WORDS.get(of)!)}\n${end}`;
  });
  expect(made).toEqual(['all commands', 'options of several commands', ...COMMANDS_BY_WORDS.keys()]);
  await expect(page).toMatchFileSnapshot(PAGE);
});
