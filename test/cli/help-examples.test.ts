import { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { addExamples } from '../../src/cli/help/help-examples.ts';
import { groupOfOption } from '../../src/cli/options/setting-groups.ts';

/** Options of the program, not of a command. */
const SHARED = ['--help', '--version', '--debug', '--plain'];

/** An option that only programs use: no help names it. */
const FOR_PROGRAMS = '--start-mark';

/** Names of no command, but of several. */
const GROUPS = ['team', 'dev'];

/** The options of a command and of those in it. */
const everyOption = (command: Command): readonly (string | undefined)[] => [
  ...command.options.map(({ long }) => long),
  ...command.commands.flatMap(everyOption),
];

describe.each(COMMANDS)('help of $name', ({ name, load }) => {
  test('lists the most used options first, and ends with examples that use its options', async () => {
    const program = new Command('density');
    const command = program.command(name);
    (await load())(command, () => Promise.resolve(program));
    addExamples(command);
    const known = everyOption(command);
    for (const one of [command, ...command.commands]) {
      const help: string[] = [];
      one.configureOutput({ writeOut: (text) => help.push(text) }).outputHelp();
      const [options = '', examples = ''] = help.join('').split('\nExamples:\n');
      const needsExamples = one === command || GROUPS.includes(name);
      if (needsExamples) expect(examples).toMatch(/^ {2}(?:\S.*)?density /);
      if (needsExamples && one.options.length > 2) expect(options).toMatch(/\n\nMost used:\n[\s\S]*\n\nOptions:\n/);
      // An option that is not shown is named, or is a setting of a group that is named.
      expect(options.match(/^ {2}-/gm)?.length ?? 0).toBeLessThanOrEqual(12);
      for (const option of one.options) {
        const group = groupOfOption(option);
        if (option.hidden && option.long !== FOR_PROGRAMS)
          expect(options).toMatch(new RegExp(group === undefined ? `Also: [^.]*${option.long}` : `\\b${group}\\b`));
      }
      const used = [...examples.matchAll(/(?<= )--[a-z-]+/g)].map(([option]) => option);
      expect(used.filter((option) => !known.includes(option) && !SHARED.includes(option))).toEqual([]);
    }
  });
});
