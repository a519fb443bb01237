import { Command, Help } from 'commander';
import { expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';

test.each(COMMANDS)('help lists $name as its module defines it', async ({ name, usage, load }) => {
  const command = new Command(name);
  const define = await load();
  define(command, () => Promise.resolve(command));
  expect(Help.prototype.subcommandTerm(command)).toBe(`${name} ${usage}`.trim());
  expect(command.description()).not.toBe('');
});
