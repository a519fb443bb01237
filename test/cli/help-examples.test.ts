import { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { addExamples } from '../../src/cli/help/help-examples.ts';

/** Options of the program, not of a command. */
const SHARED = ['--help', '--version', '--debug', '--plain'];

describe.each(COMMANDS)('help of $name', ({ name, load }) => {
  test('lists the most used options first, and ends with examples that use its options', async () => {
    const command = new Command(name);
    (await load())(command, () => Promise.resolve(command));
    addExamples(command);
    const help: string[] = [];
    command.configureOutput({ writeOut: (text) => help.push(text) }).outputHelp();
    const [options = '', examples = ''] = help.join('').split('\nExamples:\n');
    expect(examples).toMatch(/^ {2}(?:\S.*)?density /);
    if (command.options.length > 2) expect(options).toMatch(/\n\nMost used:\n[\s\S]*\n\nOptions:\n/);
    const known = [command, ...command.commands].flatMap((one) => one.options.map(({ long }) => long));
    const used = [...examples.matchAll(/(?<= )--[a-z-]+/g)].map(([option]) => option);
    expect(used.filter((option) => !known.includes(option) && !SHARED.includes(option))).toEqual([]);
  });
});
